import { DAY_MS, utcDay } from '../utc-day.js'
import { parseJson } from './parse-json.js'

/** What an API key may do; without a limit, anything. */
export interface ApiKeyLimits {
  /** Uncached requests per day (UTC). */
  dailyLimit?: number | undefined
  /** Uncached requests at the same time, on each instance. */
  concurrency?: number | undefined
  /** Milliseconds since 1970: from then on the key is refused. */
  expiresAt?: number | undefined
  /** The hosts of pages that it may request, as in the header that restricts a request. */
  allowHosts?: string[] | undefined
}

/** An API key of the pro host as it is stored: neither its secret nor what signs requests can be read from it. */
export interface ApiKeyRecord extends ApiKeyLimits {
  id: string
  name: string
  /** Recognises the secret of the key, and cannot sign. */
  verificationHash: string
  /** What signs requests, encrypted with the signing secret; `undefined` for a key that was created without one. */
  encryptedSigningKey?: string | undefined
  /** Milliseconds since 1970. */
  createdAt: number
  /** Milliseconds since 1970. */
  revokedAt?: number | undefined
}

type ApiKeyChange = (stored: ApiKeyRecord | undefined) => ApiKeyRecord | undefined

/** The API keys of the pro host. */
export interface ApiKeyStore {
  /** Adds or replaces a key. Revoking works even on a full disk, and in a full Redis, where the key is deleted instead. */
  writeKey(key: ApiKeyRecord): Promise<void>
  /**
   * Changes a key as it is stored at that moment: what another process or instance writes meanwhile, such as a revocation, is not
   * undone. Like `writeKey` otherwise.
   *
   * @param change  Gets the stored key, `undefined` when there is none, and may be called several times. Returns the new one;
   *                `undefined` leaves the store as it is.
   * @returns       What `change` returned.
   */
  changeKey(id: string, change: ApiKeyChange): Promise<ApiKeyRecord | undefined>
  /** Sees a change by another process or instance at once. */
  readKey(id: string): Promise<ApiKeyRecord | undefined>
  /** Oldest first. */
  listKeys(): Promise<ApiKeyRecord[]>
  /**
   * Adds to what a key has used on a day and returns the sum. Days are stored for a month.
   *
   * @param day    `YYYY-MM-DD`, UTC.
   * @param count  -1 refunds a request. Default: 1.
   */
  countUsage(id: string, day: string, count?: number): Promise<number>
  /** What a key has used on each of the days. */
  readUsage(id: string, days: readonly string[]): Promise<number[]>
}

/** Days for which the usage of API keys is stored. */
const USAGE_DAYS = 31
/** A `Date` of a later time is invalid. */
const MAX_TIME_MS = 8.64e15

/** A stored API key; `undefined` for other text, so that a damaged record is an unknown key. */
export function parseApiKey(json: string): ApiKeyRecord | undefined {
  const value = parseJson(json)
  return isApiKey(value) ? value : undefined
}

function isApiKey(value: unknown): value is ApiKeyRecord {
  if (typeof value !== 'object' || value === null) return false
  const row: Record<string, unknown> = { ...value }
  const { id, name, verificationHash, encryptedSigningKey, createdAt, revokedAt, ...limits } = row
  return (
    [id, name, verificationHash].every((text) => typeof text === 'string') &&
    (encryptedSigningKey === undefined || typeof encryptedSigningKey === 'string') &&
    isTime(createdAt) &&
    (revokedAt === undefined || isTime(revokedAt)) &&
    areLimits(limits)
  )
}

/** A limit that cannot be read makes the key unknown, because without it the key could do more than it may. */
function areLimits({ dailyLimit, concurrency, expiresAt, allowHosts }: Record<string, unknown>): boolean {
  return (
    [dailyLimit, concurrency].every((count) => count === undefined || Number.isSafeInteger(count)) &&
    (expiresAt === undefined || isTime(expiresAt)) &&
    (allowHosts === undefined || (Array.isArray(allowHosts) && allowHosts.every((host) => typeof host === 'string')))
  )
}

const isTime = (value: unknown) => typeof value === 'number' && Math.abs(value) <= MAX_TIME_MS

/** The first of the days up to `day` for which usage is stored; both `YYYY-MM-DD`. */
export const firstUsageDay = (day: string): string => utcDay(Date.parse(day) - (USAGE_DAYS - 1) * DAY_MS)

/** The days for which usage is stored, the last one first. */
export const usageDays = (now: number): string[] =>
  Array.from({ length: USAGE_DAYS }, (_, index) => utcDay(now - index * DAY_MS))
