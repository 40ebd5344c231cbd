import { parseArgs } from 'node:util'
import {
  commandArguments,
  commandFlags,
  isParameterName,
  nearestName,
  type CommandFlags,
} from '../../query/help/index.js'
import { fields, isPageError, parseQuery, type PageQuery } from '../../query/index.js'
import {
  optionFlag,
  optionVariable,
  readOption,
  serveOptions,
  UsageError,
  type CommandEnvironment,
} from '../../server/commands/index.js'
import type { PreviewSourceOptions } from '../preview-source/index.js'

/** A command line whose flags are its own or parameters. */
interface ParameterFlags<Flag extends string> {
  /** The values of one of the own flags, in order; empty when it is not set. */
  valuesOf: (flag: Flag) => readonly string[]
  /** Whether one of the own boolean flags is set. */
  isSet: (flag: Flag) => boolean
  /** The parameters in canonical form, without `url`. */
  parameters: Omit<PageQuery, 'url'>
  operands: string[]
}

const ANY_URL = 'http://localhost/'

/** @throws  {UsageError} for an unknown flag, naming the nearest known one, and for an invalid value. */
export function readParameterFlags<const Flags extends CommandFlags>(
  args: readonly string[],
  ownFlags: Flags,
): ParameterFlags<keyof Flags & string> {
  const values = new Map<string, string[]>()
  const parameters: [name: string, value: string][] = []
  const operands: string[] = []
  for (const { flag, name, value } of readArguments(args, ownFlags)) {
    if (flag === undefined) operands.push(value!)
    else if (!Object.hasOwn(ownFlags, name) && (name === 'url' || !isParameterName(name)))
      throw new UsageError(`${flag} is not a known flag; did you mean ${nearestFlag(flag, ownFlags)}?`)
    else if (value === undefined) throw new UsageError(`${flag} needs a value.`)
    else if (Object.hasOwn(ownFlags, name)) values.set(name, [...(values.get(name) ?? []), value])
    else parameters.push([name, value])
  }
  const valuesOf = (flag: string) => values.get(flag) ?? []
  return {
    valuesOf,
    isSet: (flag) => /^(true)?$/.test(valuesOf(flag).at(-1) ?? 'false'),
    parameters: parseParameters(parameters),
    operands,
  }
}

function readArguments(args: readonly string[], ownFlags: CommandFlags) {
  const options = commandFlags(args, ownFlags)
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  return commandArguments(tokens, ownFlags)
}

function parseParameters(parameters: [name: string, value: string][]): Omit<PageQuery, 'url'> {
  try {
    const { url: _, ...query } = parseQuery(new URLSearchParams([...parameters, ['url', ANY_URL]])).query
    return query
  } catch (error) {
    if (isPageError(error)) throw new UsageError(`${error.message} (${error.code})`, { cause: error })
    throw error
  }
}

const nearestFlag = (flag: string, ownFlags: CommandFlags) =>
  nearestName(
    flag,
    [...Object.keys(fields), ...Object.keys(ownFlags)].filter((name) => name !== 'url').map((name) => `--${name}`),
  )

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

type SourceFlag = keyof typeof SOURCE_FLAGS

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

/** The flags for the appearance of previews that do not set it themselves. */
export const APPEARANCE_FLAGS = {
  layout: { type: 'string' },
  theme: { type: 'string' },
  'color-schemes': { type: 'string' },
} as const

/**
 * Reads them as options of a preview.
 *
 * @param last  The value of a flag, the last where it is repeated.
 * @throws      {UsageError} for an unknown value.
 */
export function readAppearanceFlags(
  last: (flag: keyof typeof APPEARANCE_FLAGS) => string | undefined,
): Record<string, string> {
  return {
    ...choice('layout', last('layout'), ['card', 'row', 'image', 'inline']),
    ...choice('theme', last('theme'), ['auto', 'light', 'dark']),
    ...colorSchemes(last('color-schemes')),
  }
}

function choice(name: string, value: string | undefined, offered: readonly string[]): Record<string, string> {
  if (value === undefined) return {}
  if (offered.includes(value)) return { [name]: value }
  throw new UsageError(`--${name} must be one of ${offered.join(', ')}, not "${value}".`)
}

function colorSchemes(value: string | undefined): Record<string, string> {
  if (value === undefined) return {}
  if (/^(light,dark|dark,light)$/.test(value)) return { colorSchemes: 'light dark' }
  throw new UsageError(`--color-schemes must be light,dark, not "${value}"; for one of them use --color-scheme.`)
}
