import { PageError, type ParsedQuery } from '../../query/index.js'
import type { KeyVerifier } from '../keys/index.js'
import type { Plan } from '../request-scope.js'
import type { ApiKeyRecord } from '../store/index.js'

/** Why a request may be served, as far as it concerns caches between service and client. */
interface Authorization {
  /** Whether the URL alone grants access; `false`: the API key of the request header does. */
  isPublic: boolean
  /** Milliseconds since 1970: from then on the URL is refused. */
  expiresAt: number
  /** The key that the request has, or is signed with; `undefined` on the free host. */
  key: ApiKeyRecord | undefined
}

const PUBLIC: Authorization = { isPublic: true, expiresAt: Infinity, key: undefined }

/**
 * Authorizes a request: on the free host every request, whatever its key; on the pro host those with a registered key or a
 * valid signature. Keys may expire.
 *
 * @param parsed   The query that is resolved.
 * @param preview  The one with the key or signature: `parsed` itself, or the preview whose URL an oEmbed request has.
 * @throws  {PageError} `EAUTH`: 401 without key and signature, 403 for an unknown or revoked key and for a signature that is
 *          wrong, expired, cannot be verified, or does not cover the screenshot that oEmbed returns.
 */
export async function authorize(
  { headers }: Request,
  {
    plan,
    parsed,
    preview,
    keys,
    now,
  }: { plan: Plan; parsed: ParsedQuery; preview: ParsedQuery; keys: KeyVerifier; now: number },
): Promise<Authorization> {
  if (plan === 'free') return PUBLIC
  const apiKey = headers.get('x-api-key') || preview.apiKey
  if (apiKey) {
    const key = await keys.findKey(apiKey)
    if (key) return { isPublic: false, expiresAt: expiryOf(key, 'apiKey', now), key }
    throw forbidden('apiKey', 'unknown', 'This API key is unknown or revoked')
  }
  if (preview.query.signature !== undefined) {
    const authorization = await authorizeSigned(preview, keys, now)
    if (parsed.query.screenshot && !preview.query.screenshot) throw uncoveredError()
    return authorization
  }
  throw new PageError('EAUTH', 'The pro host needs an API key: send it as the header x-api-key, or sign the request.', {
    data: { apiKey: 'missing' },
  })
}

/** The valid key that an image is requested with; images need none, so an invalid one is ignored. */
export async function keyOfImageRequest(
  { headers }: Request,
  { plan, keys, now }: { plan: Plan; keys: KeyVerifier; now: number },
): Promise<ApiKeyRecord | undefined> {
  const apiKey = plan === 'pro' && headers.get('x-api-key')
  const key = apiKey ? await keys.findKey(apiKey) : undefined
  return key && now < (key.expiresAt ?? Infinity) ? key : undefined
}

async function authorizeSigned(parsed: ParsedQuery, keys: KeyVerifier, now: number): Promise<Authorization> {
  const { keyId, expires } = parsed.query
  if (!keyId) throw forbidden('keyId', 'missing', 'This signed request lacks the parameter keyId')
  if (!expires) throw forbidden('expires', 'missing', 'This signed request lacks the parameter expires')
  const check = await keys.checkSignature(parsed, keyId)
  if (check.result === 'unknown-key')
    throw forbidden('keyId', 'unknown', 'The key of this signed request is unknown or revoked')
  if (check.result === 'unverifiable')
    throw forbidden('keyId', 'unverifiable', 'The service cannot verify what is signed with this key')
  if (check.result !== 'valid') throw forbidden('signature', 'wrong', 'The signature does not match this request')
  const expiresAt = expires * 1_000
  if (now > expiresAt)
    throw forbidden(
      'expires',
      'passed',
      'This signed request has expired: sign it again, with expires or expiresIn of signedUrl for more than 24 hours',
    )
  const { key } = check
  return { isPublic: true, expiresAt: Math.min(expiresAt, expiryOf(key, 'keyId', now)), key }
}

/** @throws  {PageError} `EAUTH` when the key has expired. */
function expiryOf({ expiresAt = Infinity }: ApiKeyRecord, parameter: string, now: number): number {
  if (now < expiresAt) return expiresAt
  throw forbidden(parameter, 'expired', 'This API key has expired')
}

const forbidden = (parameter: string, reason: string, message: string) =>
  new PageError('EAUTH', `${message}; check it, or request a new one from the operator of the service.`, {
    status: 403,
    data: { [parameter]: reason },
  })

const uncoveredError = () =>
  new PageError(
    'EAUTH',
    'The signature of this preview does not cover a screenshot, which oEmbed returns; sign its URL with screenshot=true.',
    { status: 403, data: { signature: 'covers no screenshot' } },
  )
