import { access } from 'node:fs/promises'
import { chromiumCandidates } from './chromium-candidates.js'
import type { FoundChromium, Log } from './found-chromium.js'
import { probeChromium } from './probe-chromium.js'

export interface FindChromiumOptions {
  env?: NodeJS.ProcessEnv
  log?: Log | undefined
  signal?: AbortSignal | undefined
}

/**
 * Looks for a Chromium that starts: `CHROMIUM_PATH`, Playwright's own, the system's, the npm package's if it is unpacked.
 *
 * @throws  {Error} when `CHROMIUM_PATH` is set to something that is not there or does not start.
 */
export async function findChromium({ env = process.env, log, signal }: FindChromiumOptions = {}): Promise<
  FoundChromium | undefined
> {
  if (env.CHROMIUM_PATH) return chosenChromium(env.CHROMIUM_PATH, { env, signal })
  for (const { path, source } of await chromiumCandidates(env)) {
    try {
      await access(path)
    } catch {
      continue
    }
    try {
      return { path, source, ...(await probeChromium(path, { env, signal })) }
    } catch (error) {
      signal?.throwIfAborted()
      log?.({ event: 'chromium-passed-over', path, reason: String(error) })
    }
  }
  return undefined
}

async function chosenChromium(
  path: string,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
): Promise<FoundChromium> {
  try {
    return { path, source: 'CHROMIUM_PATH', ...(await probeChromium(path, options)) }
  } catch (cause) {
    options.signal?.throwIfAborted()
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    const reason = isMissing ? 'there is no such file' : `it does not start: ${String(cause)}`
    throw new Error(`CHROMIUM_PATH is ${path}, but ${reason}. Correct it, or unset it to have a Chromium looked for.`, {
      cause,
    })
  }
}
