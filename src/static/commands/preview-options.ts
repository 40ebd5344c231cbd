import {
  choice,
  httpUrl,
  onStopSignal,
  optionFlag,
  printable,
  serviceUrl,
  UsageError,
  wholeNumber,
  withVariables,
  type CommandEnvironment,
  type Values,
} from '../../command-line/index.js'
import { isPageError, parseQuery, type PageQuery } from '../../query/index.js'
import { serveOptions } from '../../server/commands/index.js'
import { checkTargets } from '../../server/static-tools.js'
import { DEFAULT_CACHE, DEFAULT_LOCK } from '../freeze/index.js'
import {
  DEFAULT_CONCURRENCY,
  openPreviewSource,
  type PreviewSource,
  type PreviewSourceOptions,
  type SourceSettings,
} from '../preview-source.js'

const asInServe = 'as in serve'

/** Where the previews of a run come from. */
export const sourceOptions = {
  endpoint: {
    placeholder: 'URL',
    parse: serviceUrl('the URL of a running service'),
    help: 'use a running service instead of starting a browser',
  },
  ...withVariables({
    apiKey: { placeholder: 'KEY', help: 'API key of the running service; --endpoint is then the URL of its pro host' },
    allowTarget: { ...serveOptions.allowTarget, help: asInServe },
    browser: { ...serveOptions.browser, help: asInServe },
    browserMirror: { ...serveOptions.browserMirror, help: asInServe },
    // The service in this process has the default.
    browserUser: { placeholder: serveOptions.browserUser.placeholder, help: asInServe },
    allowUnsandboxed: { help: asInServe },
  }),
  concurrency: {
    placeholder: 'N',
    default: DEFAULT_CONCURRENCY,
    parse: wholeNumber({ min: 1, max: 64 }),
    help: 'how many pages are requested at the same time',
  },
} as const

/** Which links of a static site have previews, and where they are stored. */
export const siteOptions = {
  auto: { placeholder: 'SELECTOR', help: 'plain links that become cards' },
  hover: { placeholder: 'SELECTOR', help: 'plain links that get a hover preview' },
  baseUrl: {
    placeholder: 'URL',
    parse: httpUrl('the absolute URL of the site'),
    help: 'URL of the site, for relative links',
  },
  lock: { placeholder: 'FILE', default: DEFAULT_LOCK, help: 'lock file; keep it in version control' },
  cache: {
    placeholder: 'DIR',
    default: DEFAULT_CACHE,
    help: 'cache folder; keep it in the cache of the CI or in version control',
  },
} as const

const LAYOUTS = ['card', 'row', 'image', 'inline'] as const
const THEMES = ['auto', 'light', 'dark'] as const

/** The appearance of previews that do not set it themselves. */
export const appearanceOptions = {
  layout: {
    placeholder: LAYOUTS.join('|'),
    parse: choice(...LAYOUTS),
    help: `layout of previews that set none; default ${LAYOUTS[0]}`,
  },
  theme: {
    placeholder: THEMES.join('|'),
    parse: choice(...THEMES),
    help: `theme of previews that set none; default ${THEMES[0]}`,
  },
  colorSchemes: {
    placeholder: 'light,dark',
    parse: parseColorSchemes,
    help: 'capture screenshots in both colour schemes, and show each visitor the matching one',
  },
} as const

function parseColorSchemes(text: string): string {
  if (/^(light,dark|dark,light)$/.test(text)) return 'light dark'
  throw new Error(`must be light,dark, not "${text}"; for a single colour scheme use --color-scheme`)
}

const flag = (name: keyof Values<typeof sourceOptions>) => optionFlag(name)

/**
 * Runs a command with a source of previews, and closes it.
 *
 * @param advice    What becomes of the work after SIGTERM or SIGINT, which abort `signal`.
 * @param settings  What the options of the command do not set.
 * @throws          {UsageError}
 */
export async function withPreviewSource(
  values: Values<typeof sourceOptions>,
  environment: CommandEnvironment,
  advice: string,
  run: (source: PreviewSource, signal: AbortSignal) => Promise<number>,
  settings: SourceSettings = {},
): Promise<number> {
  const { endpoint, apiKey, allowTarget: allowTargets, browser, concurrency } = values
  const { browserMirror, browserUser, allowUnsandboxed } = values
  // Checked only if they are set, since loading the checks takes most of the time of a run from the cache.
  if (allowTargets.length > 0) await orUsageError(checkTargets(allowTargets), `${flag('allowTarget')} cannot be used:`)
  const source = openPreviewSource(
    {
      endpoint,
      apiKey,
      allowTargets,
      browser,
      browserMirror,
      browserUser,
      allowUnsandboxed,
      concurrency,
      log: warningLog(environment.stderr),
    },
    settings,
  )
  const stop = stopSignal(environment, advice)
  try {
    return await run(source, stop.signal)
  } finally {
    await source.close()
    stop.release()
  }
}

/** @param start  Of the sentence that the message of an error completes. */
const orUsageError = <Value>(value: Promise<Value>, start: string): Promise<Value> =>
  value.catch((cause: unknown) => {
    throw new UsageError(`${start} ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  })

/**
 * A signal that aborts with the first SIGTERM or SIGINT; the second one ends the process as usual.
 *
 * @param advice  What becomes of the work, as a sentence.
 */
function stopSignal(environment: CommandEnvironment, advice: string): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const release = onStopSignal(environment, () => controller.abort(new Error(`Stopped. ${advice}`)))
  return { signal: controller.signal, release }
}

const MAX_CHARS = 1_000
/** Commands report failures themselves. */
const REQUEST_FAILED = 'request-failed'

/** A log for the service in the process of a command: each kind of warning once, as a line on stderr. */
export function warningLog(stderr: CommandEnvironment['stderr']): NonNullable<PreviewSourceOptions['log']> {
  const written = new Set<string>()
  const write = ({ event, reason, advice, error }: Record<string, unknown>, message: string) => {
    const kind = typeof event === 'string' ? event : message
    if (kind === REQUEST_FAILED || written.has(kind)) return
    written.add(kind)
    const details = [kind, reason ?? error ?? (advice ? undefined : message), advice]
      .filter(Boolean)
      .map(String)
      .join(': ')
    // Over the progress bar, which is drawn again with the next page.
    stderr.eraseLine()
    stderr.write(`page-preview-server: ${printable(details, MAX_CHARS)}\n`)
  }
  return { debug: () => undefined, info: () => undefined, warn: write, error: write }
}

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

/** Parameters and options of previews that do not set their own. */
export const previewDefaults = (
  parameters: readonly [name: string, value: string][],
  { layout, theme, colorSchemes }: Values<typeof appearanceOptions>,
): Record<string, unknown> => ({
  ...queryOf(parameters),
  ...(layout && { layout }),
  ...(theme && { theme }),
  ...(colorSchemes && { colorSchemes }),
})

/** The selector of `--auto` or `--hover` is only parsed with the first page. */
export const usageErrorOfSelector = (error: unknown): unknown =>
  isPageError(error) ? new UsageError(error.message, { cause: error }) : error
