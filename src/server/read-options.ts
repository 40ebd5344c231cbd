import { closest } from 'fastest-levenshtein'
import { serveOptions, type ServeOptionName } from './options.js'
import { parseBucketUrl, parseRedisUrl } from './store/index.js'

/** What `serve` was told, checked. */
export interface ServeOptions {
  port: number
  proPort: number
  host: string
  publicUrl?: string
  proPublicUrl?: string
  proHost?: string
  dataDir?: string
  freeDailyLimit: number
  /** Bytes. */
  storeMax: number
  allowTarget: string[]
  concurrency: number
  queue: number
  browser?: string
  trustProxy: number
  redis?: string
  s3?: string
  demo: boolean
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Every mistake in the options of `serve`, a sentence each. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent']
const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
const names = Object.keys(serveOptions) as ServeOptionName[]

export const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
export const variableOf = (name: string) =>
  `PAGE_PREVIEW_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/**
 * Reads flags, and for what they leave open the environment.
 *
 * @throws  {OptionsError} with every mistake at once.
 */
export function readServeOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeOptions {
  const mistakes: string[] = []
  const given = new Map<ServeOptionName, { texts: string[]; source: string }>()
  for (const name of names) {
    const text = env[variableOf(name)]
    if (text) given.set(name, { texts: [text], source: variableOf(name) })
  }
  const flags = readFlags(args, mistakes)
  for (const [name, texts] of flags) given.set(name, { texts, source: flagOf(name) })

  const options: Record<string, unknown> = {}
  for (const name of names) {
    const found = given.get(name)
    const fallback = 'default' in serveOptions[name] ? [String(serveOptions[name].default)] : []
    const refuse = (reason: string) => void mistakes.push(`${found?.source ?? name} ${reason}.`)
    const value = readOption(name, found?.texts ?? fallback, { env, refuse })
    if (value !== undefined) options[name] = value
  }
  if (mistakes.length) throw new OptionsError(mistakes)
  // Built name by name from the table that its type is made of.
  return options as unknown as ServeOptions
}

function readFlags(args: readonly string[], mistakes: string[]): Map<ServeOptionName, string[]> {
  const found = new Map<ServeOptionName, string[]>()
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [flag, ...parts] = arg.split('=') as [string, ...string[]]
    const name = names.find((known) => flagOf(known) === flag)
    if (!name) {
      mistakes.push(`${flag} is no option of serve; did you mean ${closest(flag, names.map(flagOf))}?`)
      continue
    }
    const isFlag = serveOptions[name].type === 'flag'
    const text = parts.length ? parts.join('=') : isFlag ? 'true' : rest.shift()
    if (text === undefined || (!parts.length && text.startsWith('--'))) mistakes.push(`${flag} needs a value.`)
    else found.set(name, [...(serveOptions[name].type === 'list' ? (found.get(name) ?? []) : []), text])
  }
  return found
}

interface Reading {
  env: Readonly<Record<string, string | undefined>>
  refuse: (reason: string) => void
}

function readOption(name: ServeOptionName, texts: readonly string[], { env, refuse }: Reading): unknown {
  const text = texts.at(-1)
  const { type } = serveOptions[name]
  if (type === 'list') return texts.flatMap((list) => list.split(/[\s,]+/)).filter(Boolean)
  if (text === undefined) return undefined
  switch (type) {
    case 'port':
    case 'count': {
      const max = type === 'port' ? 65_535 : Number.MAX_SAFE_INTEGER
      if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
      return refuse(`must be a whole number up to ${max}, not "${text}"`)
    }
    case 'bytes': {
      const [, amount, unit = ''] = /^([\d.]+) ?([KMGT]?B)?$/i.exec(text) ?? []
      const bytes = Number(amount) * (UNITS[unit.toUpperCase()] ?? NaN)
      return bytes >= 1e6 ? bytes : refuse(`must be a size of at least 1MB like 5GB, not "${text}"`)
    }
    case 'url':
      if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
      return refuse(`must be an absolute http(s) address, not "${text}"`)
    case 'flag':
      return /^(true|false|1|0)$/.test(text) ? /^(true|1)$/.test(text) : refuse(`must be true or false, not "${text}"`)
    case 'level':
      return LEVELS.includes(text) ? text : refuse(`must be one of ${LEVELS.join(', ')}, not "${text}"`)
    case 'redis':
      return readAddress(text, parseRedisUrl, refuse)
    case 's3':
      return readAddress(text, (address) => parseBucketUrl(address, env), refuse)
    default:
      return text
  }
}

/** Refuses without a word of the address itself, which may hold a password. */
function readAddress(text: string, read: (address: string) => unknown, refuse: Reading['refuse']) {
  try {
    read(text)
    return text
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}
