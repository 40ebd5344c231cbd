import { durationMs, refuseApiKeys } from '../query/help/index.js'
import {
  PageError,
  parseQuery,
  requestUrl,
  type Duration,
  type Endpoint,
  type PageQuery,
  type ParsedQuery,
} from '../query/index.js'

export interface SignedUrlOptions {
  /**
   * URL of the service; of `{ free, pro }`, the pro host is used.
   *
   * @example endpoint: 'https://previews.example.com'
   */
  endpoint: Endpoint
  /**
   * The API key, `pp_<id>_<secret>`. It does not become part of the URL.
   *
   * @example apiKey: process.env.PAGE_PREVIEW_API_KEY
   */
  apiKey: string
  /**
   * How long the URL is valid: milliseconds, or a number with a unit (`'90s'`, `'12h'`, `'365d'`). A static page needs a longer
   * time than it stays without a build.
   *
   * @default '24h'
   * @example expiresIn: '365d'
   */
  expiresIn?: Duration | undefined
  /**
   * When the URL expires, seconds since 1970, instead of `expiresIn`. The same second results in the same URL.
   *
   * @example expires: 1798761600
   */
  expires?: number | undefined
}

/** The parts of a key of any length: the service checks the key itself. */
const KEY_PATTERN = /^pp_([a-z\d]+)_([\w-]+)$/i

/**
 * A URL of the pro host that needs no key, so that it can be in public HTML: anyone who has it may request exactly this query
 * until the URL expires, after 24 hours by default, or the key is revoked. For servers, since signing needs the key; runs wherever WebCrypto does.
 *
 * The signature is the HMAC-SHA-256, base64url, over the canonical text of the query with `keyId` and `expires`; its key is
 * the SHA-256 of the API key's secret, which the service stores encrypted.
 *
 * @throws  {PageError} as `parseQuery` does; `EHEADERS` or `EINVALQUERY` for a key in the query; `EINVALQUERY` for an invalid time and without a pro host; `EAUTH` for a text that
 *          is not a key; `EFATALCLIENT` without WebCrypto.
 */
export async function signedUrl(
  query: PageQuery | ParsedQuery,
  { endpoint, apiKey, ...times }: SignedUrlOptions,
): Promise<string> {
  const [, keyId, secret] = KEY_PATTERN.exec(apiKey) ?? []
  if (!keyId || !secret)
    throw new PageError(
      'EAUTH',
      'This is not an API key: page-preview-server keys create prints one, as pp_<id>_<secret>.',
    )
  const unsigned = parseQuery(query)
    .withoutApiKey()
    .with({ keyId, expires: expirySeconds(times), signature: undefined })
  refuseApiKeys(new URLSearchParams(unsigned.text))
  return requestUrl(unsigned.with({ signature: await sign(unsigned.text, secret) }), endpoint)
}

function expirySeconds({ expires, expiresIn = '24h' }: Pick<SignedUrlOptions, 'expires' | 'expiresIn'>) {
  if (expires !== undefined) return expires
  const lifetimeMs = durationMs(String(expiresIn))
  if (Number.isFinite(lifetimeMs) && lifetimeMs > 0) return Math.floor((Date.now() + lifetimeMs) / 1_000)
  const reason = 'must be a positive duration, e.g. 30d, or milliseconds'
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
