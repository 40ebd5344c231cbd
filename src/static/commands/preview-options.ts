import {
  serviceUrl,
  UsageError,
  wholeNumber,
  withVariables,
  type CommandEnvironment,
  type Values,
} from '../../command-line/index.js'
import { isPageError, parseQuery, type PageQuery } from '../../query/index.js'
import { serveOptions } from '../../server/commands/index.js'
import { DEFAULT_CONCURRENCY, openPreviewSource, type PreviewSource } from '../preview-source/index.js'
import { stopSignal, warningLog } from './run-output.js'

const asInServe = 'as in serve'

/** Where the previews of a run come from. */
export const sourceOptions = {
  endpoint: {
    placeholder: 'URL',
    parse: serviceUrl('the URL of a running service'),
    help: 'use a running service instead of starting a browser',
  },
  ...withVariables({
    apiKey: { placeholder: 'KEY', help: 'key of that service, whose URL is then its pro host' },
    allowTarget: { ...serveOptions.allowTarget, help: asInServe },
    browser: { ...serveOptions.browser, help: asInServe },
    // The service in this process has the default.
    browserUser: { placeholder: serveOptions.browserUser.placeholder, help: asInServe },
    allowUnsandboxed: { help: asInServe },
  }),
  concurrency: {
    placeholder: 'N',
    default: DEFAULT_CONCURRENCY,
    parse: wholeNumber({ min: 1, max: 64 }),
    help: 'pages at the same time',
  },
} as const

/**
 * Runs a command with a source of previews, and closes it.
 *
 * @param advice  What becomes of the work after SIGTERM or SIGINT, which abort `signal`.
 * @throws        {UsageError}
 */
export async function withPreviewSource(
  values: Values<typeof sourceOptions>,
  environment: CommandEnvironment,
  advice: string,
  run: (source: PreviewSource, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const { endpoint, apiKey, allowTarget: allowTargets, browserUser, allowUnsandboxed } = values
  await checkTargets(allowTargets)
  const source = openPreviewSource({
    hosts: endpoint,
    apiKey,
    allowTargets,
    browser: await readBrowser(values.browser),
    browserUser,
    allowUnsandboxed,
    concurrency: values.concurrency,
    log: warningLog(environment.stderr),
  })
  const stop = stopSignal(environment, advice)
  try {
    return await run(source, stop.signal)
  } finally {
    await source.close()
    stop.release()
  }
}

// Their checks are loaded only if they are set, since they take most of the time of a run from the cache.

async function checkTargets(allowTargets: readonly string[]): Promise<void> {
  if (allowTargets.length === 0) return
  const { createGuard } = await import('../../server/network/index.js')
  try {
    createGuard({ allowTargets })
  } catch (error) {
    throw new UsageError(`--allow-target cannot be used: ${messageOf(error)}.`, { cause: error })
  }
}

async function readBrowser(browser: readonly string[] | undefined): Promise<string[] | undefined> {
  if (browser === undefined) return undefined
  const { parseBrowserOption } = await import('../../server/browser/index.js')
  try {
    return parseBrowserOption(browser)
  } catch (error) {
    throw new UsageError(`--browser ${messageOf(error)}.`, { cause: error })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const ANY_URL = 'http://localhost/'

/**
 * The parameters among the flags in canonical form.
 *
 * @throws  {UsageError}
 */
export function queryOf(parameters: readonly [name: string, value: string][]): Omit<PageQuery, 'url'> {
  try {
    const { url: _, ...query } = parseQuery(new URLSearchParams([...parameters, ['url', ANY_URL]])).query
    return query
  } catch (error) {
    if (isPageError(error)) throw new UsageError(`${error.message} (${error.code})`, { cause: error })
    throw error
  }
}
