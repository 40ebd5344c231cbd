import { PageError, parseQuery, requestUrl, writeQuery, type Hosts, type QueryInput } from '../query/index.js'

export interface SignedUrlOptions {
  /** Where the service is; the pro host is the one that is taken. */
  hosts: Hosts
  /** The API key, `pp_<id>_<secret>`. It does not become part of the address. */
  key: string
  /** How long the address holds, milliseconds. Default: 24 hours. */
  expiresIn?: number | undefined
  /** When it stops to hold, seconds since 1970, in the place of `expiresIn`. The same second gives the same address. */
  expires?: number | undefined
}

const DEFAULT_LIFE_MS = 24 * 3_600_000
const KEY_PATTERN = /^pp_([a-z\d]+)_([\w-]+)$/i

/**
 * An address of the pro host that needs no key, so that it can stand in public HTML: whoever has it may use it, for this very
 * query and nothing else, until it expires or the key is revoked. For servers, since whoever signs holds the key; runs
 * wherever there is WebCrypto.
 *
 * The signature is the HMAC-SHA-256, base64url, over the canonical text of the query with `keyId` and `expires`; it is keyed
 * by the SHA-256 of the key's secret, for that is what the service has kept of it.
 *
 * @throws  {PageError} as `parseQuery` does; `EINVALQUERY` for times that are none and without a pro host; `EAUTH` for a text
 *          that is no key; `EFATALCLIENT` without WebCrypto.
 */
export async function signedUrl(input: QueryInput, { hosts, key, ...times }: SignedUrlOptions): Promise<string> {
  const [, keyId, secret] = KEY_PATTERN.exec(key) ?? []
  if (!keyId || !secret)
    throw new PageError('EAUTH', 'This is no API key: page-preview keys create shows one, as pp_<id>_<secret>.')
  const { query } = parseQuery(input)
  const { apiKey: _, ...headers } = { apiKey: undefined, ...query.headers }
  const signed = { ...query, headers, keyId, expires: expiresAt(times), signature: undefined }
  return requestUrl({ ...signed, signature: await sign(writeQuery(signed), secret) }, hosts)
}

function expiresAt({ expires, expiresIn = DEFAULT_LIFE_MS }: Pick<SignedUrlOptions, 'expires' | 'expiresIn'>) {
  if (expires !== undefined) return expires
  if (Number.isFinite(expiresIn) && expiresIn > 0) return Math.floor((Date.now() + expiresIn) / 1_000)
  const reason = 'must be a number of milliseconds above 0'
  throw new PageError('EINVALQUERY', `expiresIn ${reason}.`, { data: { expiresIn: reason } })
}

async function sign(text: string, secret: string): Promise<string> {
  // Browsers have it in secure contexts only: https://www.w3.org/TR/webcrypto-2/#Crypto-interface
  const { subtle }: Partial<typeof globalThis.crypto> = globalThis.crypto
  if (!subtle) throw new PageError('EFATALCLIENT', 'Signing needs WebCrypto, which a page has over https only.')
  const encoder = new TextEncoder()
  const keyBytes = await subtle.digest('SHA-256', encoder.encode(secret))
  const key = await subtle.importKey('raw', keyBytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = new Uint8Array(await subtle.sign('HMAC', key, encoder.encode(text)))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
