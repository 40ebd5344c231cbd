import type { ApiKeyRecord } from './store.js'

/** A stored value as an API key; `undefined` when it is none, so that a damaged record is an unknown key. */
export function parseApiKey(value: unknown): ApiKeyRecord | undefined {
  return isApiKey(value) ? value : undefined
}

function isApiKey(value: unknown): value is ApiKeyRecord {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, verificationHash, encryptedSigningKey, createdAt, revokedAt, ...limits }: Record<string, unknown> =
    {
      ...value,
    }
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
/** A `Date` of a later time is invalid. */
const MAX_TIME_MS = 8.64e15
