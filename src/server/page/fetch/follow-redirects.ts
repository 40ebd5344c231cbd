import type { Readable } from 'node:stream'
import { isUtf8 } from 'node:buffer'
import { type Dispatcher, request } from 'undici'
import { PageError, isPageError } from '../../../query/index.js'
import { parseUrl } from '../parse-url.js'
import type { ReservedMemory } from '../../budget/index.js'
import type { Images } from '../../images/index.js'
import type { Guard } from '../../network/index.js'
import { SlowBodyError } from './read-body.js'

/** What every request to a target needs besides its URL. */
export interface FetchParts {
  /** Checks the URL of each hop before it is requested. */
  guard: Pick<Guard, 'check'>
  /** Connects only to the addresses that `guard` has checked. */
  dispatcher: Dispatcher
  /** Where large bodies reserve memory. Default: `maxBytes` of each body is its only limit. */
  memory?: ReservedMemory | undefined
  signal: AbortSignal
}

/** What checking the URLs of a page needs. */
export interface PingParts extends FetchParts {
  /** Reads the colours of images. */
  images: Images
  /** The client that the page is read for. */
  client: string
}

interface RequestOptions {
  /** Default: `GET`. */
  method?: 'GET' | 'HEAD'
  /** Sent to every hop. */
  headers: Readonly<Record<string, string>>
  /** Sent to the origin of the first URL only; override `headers`. */
  originHeaders?: Readonly<Record<string, string>> | undefined
}

/** The response at the end of a redirect chain; its `body` has yet to be read or destroyed. */
export interface FinalResponse {
  url: string
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The hops that redirected, each with its own status. */
  redirects: { statusCode: number; url: string }[]
  body: Readable
}

const MAX_LOCATION_CHARS = 8_192
const MAX_REDIRECTS = 10

/**
 * Requests a URL and follows its redirects; the guard checks the URL of each hop.
 *
 * @throws  {PageError} `EFORBIDDENURL`, `EINVALURL` (the first URL only), `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`.
 * @see     https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function followRedirects(
  url: string,
  { headers, originHeaders = {}, method = 'GET', ...parts }: RequestOptions & FetchParts,
): Promise<FinalResponse> {
  const { origin } = new URL(url)
  const redirects: FinalResponse['redirects'] = []
  let hop = new URL(url)
  for (;;) {
    const response = await requestHop(hop, {
      ...parts,
      method,
      headers: { ...headers, ...(hop.origin === origin && originHeaders) },
      isFirstHop: !redirects.length,
    })
    const { statusCode, body } = response
    const location = isRedirect(statusCode) ? decodeLocation(response.headers.location) : undefined
    if (location === undefined) return { url: hop.href, statusCode, headers: response.headers, redirects, body }

    await body.dump({ limit: 65_536, signal: parts.signal })
    redirects.push({ statusCode, url: hop.href })
    if (redirects.length > MAX_REDIRECTS) throw tooManyRedirects(hop)
    hop = nextHop(location, hop)
  }
}

async function requestHop(
  hop: URL,
  { guard, isFirstHop, ...options }: RequestOptions & FetchParts & { isFirstHop: boolean },
): Promise<Dispatcher.ResponseData> {
  try {
    // The dispatcher connects to the address of this check; a request on an open connection has no other one.
    await guard.check(hop, { signal: options.signal })
    const response = await request(hop, options)
    // Destroying a body before its end emits an error; without a listener it would end the process.
    response.body.on('error', () => {})
    return response
  } catch (cause) {
    options.signal.throwIfAborted()
    const error = toFetchError(cause, hop.href)
    if (error.code === 'EINVALURL' && !isFirstHop)
      throw unreachableError('The page', `it redirects to ${hop.host}, which has no public address`, cause)
    throw error
  }
}

const isRedirect = (statusCode: number) => [301, 302, 303, 307, 308].includes(statusCode)

/** undici decodes headers as Latin-1, but most servers send UTF-8. */
function decodeLocation(location: string | string[] | undefined): string | undefined {
  const [first] = [location].flat()
  if (first === undefined) return undefined
  const bytes = Buffer.from(first, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : first
}

function nextHop(location: string, hop: URL): URL {
  const next = location.length <= MAX_LOCATION_CHARS ? parseUrl(location, hop.href) : undefined
  if (!next || !/^https?:$/.test(next.protocol))
    throw unreachableError('The page', `it redirects to "${location.slice(0, 99)}", which is not http or https`)
  if (!next.hash) next.hash = hop.hash
  return next
}

function tooManyRedirects(hop: URL): PageError {
  const reason = `it redirects more than ${MAX_REDIRECTS} times`
  return new PageError('EMAXREDIRECTS', `${hop.host} redirects too many times. Request the final URL directly.`, {
    data: { url: reason },
  })
}

const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'the connection was interrupted'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'its network is unreachable'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW)/, 'its response is not valid HTTP'],
  [/CERT|^(DEPTH_ZERO|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO)/, 'its TLS certificate or connection cannot be trusted'],
  [/^ERR_ENCODING$/, 'its content-encoding is not supported'],
  [/^(Z_|ERR_|ZSTD)/, 'its body is corrupt'],
]

/**
 * Converts what a fetch threw into a `PageError`.
 *
 * @returns  A `PageError` unchanged; otherwise `ETIMEOUT` or `EUNREACHABLE`, with the original error as `cause`.
 */
export function toFetchError(cause: unknown, url: string): PageError {
  if (isPageError(cause)) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const { host } = new URL(url)
  if (cause instanceof SlowBodyError) return slowError(host, cause)
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return timeoutError(host, cause)
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'it did not respond'
  return unreachableError(host, reason, cause)
}

const slowError = (host: string, cause: SlowBodyError) =>
  new PageError('ETIMEOUT', `${host} sends its response too slowly. Try again later.`, {
    data: { url: 'sends its response too slowly' },
    cause,
  })

/** `EUNREACHABLE`; `subject` is the host, or what was to be read from it. */
export const unreachableError = (subject: string, reason: string, cause?: unknown) =>
  new PageError('EUNREACHABLE', `${subject} could not be read: ${reason}. Try again later, or request another URL.`, {
    data: { url: reason },
    cause,
  })

/** `ETIMEOUT`; `subject` is the host. */
export const timeoutError = (subject: string, cause?: unknown) =>
  new PageError('ETIMEOUT', `${subject} did not respond in time. Try again later.`, {
    data: { url: 'did not respond in time' },
    cause,
  })

/** Identifies the service to the sites that it reads; a caller may override it with `headers.user-agent`. */
export const USER_AGENT = 'Mozilla/5.0 (compatible; PagePreview/1.0)'
