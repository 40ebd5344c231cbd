import { parseHostList } from '../../query/help/index.js'
import type { ApiKeyLimits } from '../store/index.js'
import { UsageError } from './usage-error.js'

/** The flags of limits, as they were passed. */
export interface LimitFlags {
  'daily-limit'?: string | undefined
  concurrency?: string | undefined
  expires?: string | undefined
  'allow-host'?: string[] | undefined
}

const NONE = 'none'
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

/**
 * Reads the limits of an API key.
 *
 * @param now  Milliseconds since 1970.
 * @returns    Those that were passed; `undefined` for `none`, which removes a limit.
 * @throws     {UsageError}
 */
export function readKeyLimits(flags: LimitFlags, now: number): ApiKeyLimits {
  const { 'daily-limit': dailyLimit, concurrency, expires, 'allow-host': hosts } = flags
  return {
    ...(dailyLimit !== undefined && { dailyLimit: readCount('--daily-limit', dailyLimit) }),
    ...(concurrency !== undefined && { concurrency: readCount('--concurrency', concurrency) }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires, now) }),
    ...(hosts && { allowHosts: readHosts(hosts) }),
  }
}

function readCount(flag: string, text: string): number | undefined {
  if (text === NONE) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${flag} is a whole number, or none; not "${text}".`)
}

function readExpiry(text: string, now: number): number | undefined {
  if (text === NONE) return undefined
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const time = count && unit ? now + Number(count) * UNIT_MS[unit]! : parseDate(text)
  if (time > now) return time
  throw new UsageError(`--expires is a time in the future like 90d, 12h, 2030-01-31 or none; not "${text}".`)
}

/** @returns  NaN for an invalid date. */
const parseDate = (text: string): number =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : NaN

function readHosts(hosts: readonly string[]): string[] | undefined {
  if (hosts.length === 1 && hosts[0] === NONE) return undefined
  try {
    return parseHostList(hosts).text.split(',')
  } catch (cause) {
    throw new UsageError(`--allow-host ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}
