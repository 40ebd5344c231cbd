import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { nearestName } from '../query/help/index.js'
import { parseBrowserOption } from './browser/index.js'
import { optionFlag, optionVariable, serveOptions, type ServeOptionName } from './serve-options.js'
import { hasPassword, readSecret, secretFileVariable } from './secrets.js'
import { isRedisUrl, parseBucketUrl, parseRedisUrl } from './store/index.js'

/** Validated options of `serve`. */
export interface ServeOptions {
  port: number
  proPort: number
  adminPort?: number
  host: string
  publicUrl?: string
  proPublicUrl?: string
  proHost?: string
  dataDir?: string
  /** From the environment alone, because others can read the arguments of a process. */
  signingSecret?: string
  signingSecretFile?: string
  freeDailyLimit: number
  /** Bytes. */
  storeMax: number
  allowTarget: string[]
  denyTarget: string[]
  deny: string[]
  denyFile?: string
  concurrency: number
  queue: number
  maxConnections: number
  maxConnectionsPerClient: number
  /** Seconds. */
  drainDelay: number
  /** A path, or addresses. */
  browser?: string[]
  proxyHost: string
  proxyPublicHost?: string
  browserUser: string
  allowUnsandboxed: boolean
  trustProxy: number
  redis?: string
  redisPrefix: string
  keys?: string
  s3?: string
  demo: boolean
  demoPort: number
  accessLog: boolean
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Options with a password among the arguments, which others can read in the list of processes. */
  exposedPasswords: ServeOptionName[]
}

/** Every mistake in the options of `serve`, one sentence each. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** The values of one option as text, and the flag or variable that set them. */
interface RawOption {
  values: string[]
  source: string
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent']
const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
const optionNames = Object.keys(serveOptions) as ServeOptionName[]

/**
 * Reads the options from flags; the environment supplies those without a flag.
 *
 * @throws  {OptionsError} with every mistake at once.
 */
export function readServeOptions(args: readonly string[], env: Env): ServeOptions {
  const mistakes: string[] = []
  const rawOptions = new Map([...readVariables(env, mistakes), ...readFlags(args, mistakes)])
  const options: Record<string, unknown> = { exposedPasswords: exposedPasswordsIn(rawOptions) }
  for (const name of optionNames) {
    const { values, source } = rawOptions.get(name) ?? defaultOf(name)
    const refuse = (reason: string) => void mistakes.push(`${source} ${reason}.`)
    const value = parseOption(name, values, { env, refuse })
    if (value !== undefined) options[name] = value
  }
  const signingSecret = env[optionVariable('signingSecret')]
  if (signingSecret) options.signingSecret = signingSecret
  if (/^(0\.0\.0\.0|::)$/.test(String(options.proxyHost)) && options.proxyPublicHost === undefined)
    mistakes.push(
      '--proxy-public-host is required with --proxy-host for all addresses: the name by which browsers reach it.',
    )
  if (mistakes.length) throw new OptionsError(mistakes)
  // Built name by name from the table that its type mirrors.
  return options as typeof options & ServeOptions
}

function defaultOf(name: ServeOptionName): RawOption {
  const option = serveOptions[name]
  return { values: 'default' in option ? [String(option.default)] : [], source: name }
}

function readVariables(env: Env, mistakes: string[]): Map<ServeOptionName, RawOption> {
  const found = new Map<ServeOptionName, RawOption>()
  for (const name of optionNames) {
    const variable = optionVariable(name)
    try {
      const value = isSecret(name) ? readSecret(variable, env) : env[variable]
      const isFile = isSecret(name) && env[secretFileVariable(variable)]
      if (value) found.set(name, { values: [value], source: isFile ? secretFileVariable(variable) : variable })
    } catch (error) {
      mistakes.push(`${(error as Error).message}.`)
    }
  }
  return found
}

const isSecret = (name: ServeOptionName) => 'isSecret' in serveOptions[name]

const exposedPasswordsIn = (options: ReadonlyMap<ServeOptionName, RawOption>): ServeOptionName[] =>
  [...options]
    .filter(([, { source, values }]) => source.startsWith('--') && values.some(hasPassword))
    .map(([name]) => name)

function readFlags(args: readonly string[], mistakes: string[]): Map<ServeOptionName, RawOption> {
  const namesByFlag = new Map(optionNames.map((name) => [optionFlag(name), name]))
  const options = Object.fromEntries(
    optionNames.map((name) => [
      optionFlag(name).slice('--'.length),
      { type: serveOptions[name].type === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  // Not strict, because strict parsing stops at the first mistake.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const found = new Map<ServeOptionName, RawOption>()
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    const flag = token.kind === 'option' ? token.rawName : token.value
    const name = namesByFlag.get(flag)
    if (token.kind === 'positional' || !name) {
      mistakes.push(`${flag} is not an option of serve; did you mean ${nearestName(flag, [...namesByFlag.keys()])}?`)
      continue
    }
    const { type } = serveOptions[name]
    const value = token.value ?? (type === 'flag' ? 'true' : undefined)
    const isOtherFlag = token.inlineValue === false && value?.startsWith('--')
    if (value === undefined || isOtherFlag) mistakes.push(`${flag} needs a value.`)
    else
      found.set(name, {
        values: [...(type === 'list' || type === 'browser' ? (found.get(name)?.values ?? []) : []), value],
        source: flag,
      })
  }
  return found
}

interface ParseContext {
  env: Env
  refuse: (reason: string) => void
}

function parseOption(name: ServeOptionName, values: readonly string[], { env, refuse }: ParseContext): unknown {
  const text = values.at(-1)
  const { type } = serveOptions[name]
  if (type === 'list') return values.flatMap((list) => list.split(/[\s,]+/)).filter(Boolean)
  if (text === undefined) return undefined
  switch (type) {
    case 'port':
    case 'count':
      return parseInteger(text, type === 'port' ? 65_535 : Number.MAX_SAFE_INTEGER, refuse)
    case 'bytes':
      return parseBytes(text, refuse)
    case 'url':
      if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/(?<!\/)\/+$/, '')
      return refuse(`must be an absolute http(s) URL, not "${text}"`)
    case 'flag':
      return /^(true|false|1|0)$/.test(text) ? /^(true|1)$/.test(text) : refuse(`must be true or false, not "${text}"`)
    case 'level':
      return LEVELS.includes(text) ? text : refuse(`must be one of ${LEVELS.join(', ')}, not "${text}"`)
    case 'browser':
      return parseOrRefuse(values, parseBrowserOption, refuse)
    case 'address':
      return isIP(text) ? text : refuse(`must be an IP address, not "${text}"`)
    case 'redis':
      return checkUrl(text, parseRedisUrl, refuse)
    case 'keys':
      return isRedisUrl(text) ? checkUrl(text, parseRedisUrl, refuse) : text
    case 's3':
      return checkUrl(text, (url) => parseBucketUrl(url, env), refuse)
    default:
      return text
  }
}

function parseInteger(text: string, max: number, refuse: ParseContext['refuse']) {
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
  return refuse(`must be a whole number up to ${max}, not "${text}"`)
}

function parseBytes(text: string, refuse: ParseContext['refuse']) {
  const [, amount, unit = ''] = /^([\d.]+) ?([KMGT]?B)?$/i.exec(text) ?? []
  const bytes = Number(amount) * (UNITS[unit.toUpperCase()] ?? NaN)
  return bytes >= 1e6 ? bytes : refuse(`must be a size of at least 1MB like 5GB, not "${text}"`)
}

function parseOrRefuse<Parsed>(
  values: readonly string[],
  parse: (values: readonly string[]) => Parsed,
  refuse: ParseContext['refuse'],
) {
  try {
    return parse(values)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

/** Leaves the URL out of the reason, because it may contain a password. */
function checkUrl(text: string, read: (url: string) => unknown, refuse: ParseContext['refuse']) {
  try {
    read(text)
    return text
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}
