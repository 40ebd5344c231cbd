import { PageError, type PageQuery } from '../../query/index.js'
import { findKey, findKeyById, isSignedBy } from '../keys/index.js'
import type { Store } from '../store/index.js'

/** Which host a request came to. */
export type Plan = 'free' | 'pro'

/** How a request was let in, as far as caches on the way of its answer must know. */
export interface Admission {
  /** Whoever has the address may see the answer; otherwise only who holds the key. */
  isPublic: boolean
  /** Milliseconds since 1970: from then on the address is refused. */
  endsAt: number
}

const EVERYBODY: Admission = { isPublic: true, endsAt: Infinity }
const KEY_HOLDER: Admission = { isPublic: false, endsAt: Infinity }

/**
 * Lets everybody in to the free host, where a key means nothing, and to the pro host whoever holds a registered key or an
 * address that was signed with one.
 *
 * @throws  {PageError} `EAUTH`: 401 with neither, 403 for a key that is unknown or revoked and a signature that does not hold.
 */
export async function admit(
  { headers }: Request,
  { plan, query, store, now }: { plan: Plan; query: PageQuery; store: Store; now: number },
): Promise<Admission> {
  if (plan === 'free') return EVERYBODY
  const given = headers.get('x-api-key') || query.headers?.apiKey
  if (given) {
    if (await findKey(given, store)) return KEY_HOLDER
    throw refused('apiKey', 'unknown', 'This API key is unknown or revoked')
  }
  if (query.signature !== undefined) return admitSigned(query, store, now)
  throw new PageError('EAUTH', 'An API key is needed: send it as the header x-api-key, or sign the request.', {
    data: { apiKey: 'missing' },
  })
}

async function admitSigned(query: PageQuery, store: Store, now: number): Promise<Admission> {
  const { keyId, expires } = query
  if (!keyId) throw refused('keyId', 'missing', 'A signed request names its key as keyId')
  if (!expires) throw refused('expires', 'missing', 'A signed request says how long it holds as expires')
  const key = await findKeyById(keyId, store)
  if (!key) throw refused('keyId', 'unknown', 'The key of this signed request is unknown or revoked')
  if (!isSignedBy(key, query)) throw refused('signature', 'wrong', 'The signature is not the one for this very request')
  const endsAt = expires * 1_000
  if (now > endsAt) throw refused('expires', 'passed', 'This signed request has expired')
  return { isPublic: true, endsAt }
}

const refused = (word: string, reason: string, what: string) =>
  new PageError('EAUTH', `${what}: check it, or ask whoever gave it to you for a new one.`, {
    status: 403,
    data: { [word]: reason },
  })
