import { access } from 'node:fs/promises'
import { hasErrorCode } from '../node-errors.js'
import { chromiumCandidates } from './chromium-candidates.js'
import type { ChromiumExecutable } from './chromium-executable.js'
import type { LogEvent } from './log-event.js'
import { probeChromium } from './probe-chromium.js'

export interface FindChromiumOptions {
  env?: NodeJS.ProcessEnv
  /** Executables to try after those on `PATH`. Default: where this platform's installers put a browser. */
  installedPaths?: readonly string[] | undefined
  log?: LogEvent | undefined
  signal?: AbortSignal | undefined
}

/**
 * Finds a Chromium that starts: `CHROMIUM_PATH`, Playwright's, the system's, or that of the npm package once it is unpacked.
 *
 * @throws  {Error} when `CHROMIUM_PATH` names a file that does not exist or does not start.
 */
export async function findChromium({
  env = process.env,
  installedPaths,
  log,
  signal,
}: FindChromiumOptions = {}): Promise<ChromiumExecutable | undefined> {
  if (env.CHROMIUM_PATH) return configuredChromium(env.CHROMIUM_PATH, { env, signal })
  for (const { path, source } of await chromiumCandidates({ env, installedPaths })) {
    if (!(await fileExists(path))) continue
    try {
      return { path, source, ...(await probeChromium(path, { env, signal })) }
    } catch (error) {
      signal?.throwIfAborted()
      log?.({ event: 'chromium-skipped', path, reason: String(error) })
    }
  }
  return undefined
}

async function configuredChromium(
  path: string,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
): Promise<ChromiumExecutable> {
  try {
    return { path, source: 'CHROMIUM_PATH', ...(await probeChromium(path, options)) }
  } catch (cause) {
    options.signal?.throwIfAborted()
    const isMissing = hasErrorCode(cause, 'ENOENT')
    const reason = isMissing ? 'that file does not exist' : `it does not start: ${String(cause)}`
    throw new Error(
      `CHROMIUM_PATH is ${path}, but ${reason}. Correct the path, or unset the variable to search for a Chromium.`,
      { cause },
    )
  }
}

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
