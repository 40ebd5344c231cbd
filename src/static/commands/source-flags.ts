import {
  type CommandEnvironment,
  optionFlag,
  optionVariable,
  readOption,
  serveOptions,
  UsageError,
} from '../../server/commands/index.js'
import type { PreviewSourceOptions } from '../preview-source/index.js'

/** The flags that determine where previews of a command come from, as `parseArgs` takes them. */
export const SOURCE_FLAGS = {
  endpoint: { type: 'string' },
  'api-key': { type: 'string' },
  'allow-target': { type: 'string' },
  browser: { type: 'string' },
  'browser-user': { type: 'string' },
  'allow-unsandboxed': { type: 'boolean' },
  concurrency: { type: 'string' },
} as const

export type SourceFlag = keyof typeof SOURCE_FLAGS

export type SourceOptions = PreviewSourceOptions & { allowTargets: string[]; concurrency: number }

/** One row of the help for each of them. */
export const SOURCE_FLAG_ROWS: readonly [flag: string, text: string][] = [
  ['--endpoint URL', 'use a running service instead of starting a browser'],
  ['--api-key KEY', 'key of that service, whose URL is then its pro host (PAGE_PREVIEW_API_KEY)'],
  ...(['allowTarget', 'browser', 'browserUser', 'allowUnsandboxed'] as const).map((name): [string, string] => [
    [optionFlag(name), 'placeholder' in serveOptions[name] ? serveOptions[name].placeholder : ''].join(' ').trim(),
    `as in serve (${optionVariable(name)})`,
  ]),
  ['--concurrency N', 'pages at the same time; default 2'],
]

const MAX_CONCURRENCY = 64
const DEFAULT_CONCURRENCY = 2

/**
 * Reads where previews come from; the environment supplies what no flag does.
 *
 * @param valuesOf  The values of a flag, in order; empty when it is not set.
 * @throws          {UsageError}
 */
export async function readSourceOptions(
  valuesOf: (flag: SourceFlag) => readonly string[],
  env: CommandEnvironment['env'],
): Promise<SourceOptions> {
  const last = (flag: SourceFlag) => valuesOf(flag).at(-1)
  const allowTargets = listOf(valuesOf('allow-target'), env[optionVariable('allowTarget')])
  const browser = await readBrowser(valuesOf('browser'), env[optionVariable('browser')])
  await checkTargets(allowTargets)
  return {
    hosts: readEndpoint(last('endpoint')),
    apiKey: last('api-key') ?? env.PAGE_PREVIEW_API_KEY,
    allowTargets,
    browser,
    browserUser: readOption('browserUser', last('browser-user'), env),
    allowUnsandboxed: /^(|true|1)$/.test(readOption('allowUnsandboxed', last('allow-unsandboxed'), env) ?? 'false'),
    concurrency: readConcurrency(last('concurrency')),
  }
}

const listOf = (flags: readonly string[], variable: string | undefined): string[] =>
  (flags.length > 0 ? flags : [variable ?? '']).flatMap((list) => list.split(/[\s,]+/)).filter(Boolean)

// Their checks are loaded only where they are set, since they take most of the time of a run from the cache.

async function checkTargets(allowTargets: readonly string[]): Promise<void> {
  if (allowTargets.length === 0) return
  const { createGuard } = await import('../../server/network/index.js')
  check('--allow-target', () => createGuard({ allowTargets }))
}

async function readBrowser(flags: readonly string[], variable: string | undefined): Promise<string[] | undefined> {
  const values = flags.length > 0 ? flags : variable ? [variable] : []
  if (values.length === 0) return undefined
  const { parseBrowserOption } = await import('../../server/browser/index.js')
  return check('--browser', () => parseBrowserOption(values))
}

function check<Value>(flag: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(`${flag} cannot be used: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    })
  }
}

function readEndpoint(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    return url?.replace(/(?<!\/)\/+$/, '')
  throw new UsageError(`--endpoint must be the URL of a running service, not "${url}".`)
}

function readConcurrency(text = String(DEFAULT_CONCURRENCY)): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= MAX_CONCURRENCY) return number
  throw new UsageError(`--concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}, not "${text}".`)
}
