import { createHash, timingSafeEqual } from 'node:crypto'
import { PageError, type PageQuery } from '../../query/index.js'
import type { Store } from '../store/index.js'

/** Which host a request came to. */
export type Plan = 'free' | 'pro'

/** `pp_<id>_<secret>`, as it is shown once when a key is made. */
const KEY_PATTERN = /^pp_([a-z\d]{1,32})_([\w-]{16,128})$/i

/**
 * Lets only the owner of a registered key pass.
 *
 * @throws  {PageError} `EAUTH`: 401 without a key, 403 with one that is unknown or revoked.
 */
export async function requireKey(request: Request, query: PageQuery | undefined, store: Store): Promise<void> {
  const given = request.headers.get('x-api-key') ?? query?.headers?.apiKey
  if (!given) throw refusal(401, 'missing', 'An API key is needed: send it as the header x-api-key.')
  const [, id, secret] = KEY_PATTERN.exec(given) ?? []
  const key = id ? await store.readKey(id) : undefined
  if (!secret || !key || key.revokedAt !== undefined || !isSecretOf(key.secretHash, secret))
    throw refusal(
      403,
      'unknown',
      'This API key is unknown or revoked: check it, or ask whoever runs the service for a new one.',
    )
}

function isSecretOf(hash: string, secret: string): boolean {
  const found = createHash('sha256').update(secret).digest()
  const kept = Buffer.from(hash, 'hex')
  return kept.length === found.length && timingSafeEqual(kept, found)
}

const refusal = (status: 401 | 403, reason: string, message: string) =>
  new PageError('EAUTH', message, { status, data: { apiKey: reason } })
