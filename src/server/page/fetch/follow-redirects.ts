import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { PageError } from '../../../query/index.js'
import type { ReservedMemory } from '../../budget/index.js'
import type { Images } from '../../images/index.js'
import { isSloppyResponseError, requestSloppy, type Guard, type GuardedDispatcher } from '../../network/index.js'
import { parseUrl } from '../values/index.js'
import { quote } from '../../quote.js'
import { createCookies, type Cookies } from './cookies.js'
import { toFetchError, unreachableError } from './fetch-error.js'

/** What every request to a target needs besides its URL. */
export interface FetchParts {
  /** Checks the URL of each hop before it is requested. */
  guard: Pick<Guard, 'check'>
  /** Connects only to the addresses that `guard` has checked. */
  dispatcher: GuardedDispatcher
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
  /** The hops that have led to the URL. Default: it is the first one. */
  chain?: RedirectChain
  /** Whether the responses are known to be no valid HTTP. Default: they are first read as such. */
  isSloppy?: boolean
}

/** What the hops from a URL to its page share, redirects by HTTP and by HTML alike. */
export interface RedirectChain {
  /** The origin of the first URL. */
  readonly origin: string
  /** The hops that redirected, each with its own status. */
  readonly redirects: Redirect[]
  readonly cookies: Cookies
  /** Called with each response. */
  readonly onResponse?: ((response: HopResponse) => void) | undefined
}

/** One response, and the milliseconds until its headers arrived. */
export interface HopResponse extends Redirect {
  durationMs: number
}

interface Redirect {
  statusCode: number
  url: string
}

/** The response at the end of a redirect chain; its `body` has yet to be read or destroyed. */
export interface FinalResponse {
  url: string
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The hops that redirected, each with its own status. */
  redirects: Redirect[]
  body: Readable
}

const MAX_LOCATION_CHARS = 8_192
const MAX_REDIRECTS = 10

export const startChain = (url: string, onResponse?: RedirectChain['onResponse']): RedirectChain => ({
  origin: new URL(url).origin,
  redirects: [],
  cookies: createCookies(),
  onResponse,
})

/**
 * Requests a URL and follows its redirects; the guard checks the URL of each hop. Cookies are kept until the last hop.
 *
 * @throws  {PageError} `EFORBIDDENURL`, `EINVALURL` (the first URL only), `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`.
 * @see     https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function followRedirects(
  url: string,
  { headers, originHeaders = {}, method = 'GET', chain = startChain(url), ...parts }: RequestOptions & FetchParts,
): Promise<FinalResponse> {
  const { origin, redirects, cookies } = chain
  let hop = new URL(url)
  for (;;) {
    const ownHeaders: Readonly<Record<string, string>> = hop.origin === origin ? originHeaders : {}
    const cookie = cookies.header(hop, ownHeaders.cookie)
    const startedAt = performance.now()
    const response = await requestHop(hop, {
      ...parts,
      method,
      headers: { 'user-agent': parts.dispatcher.userAgent, ...headers, ...ownHeaders, ...(cookie && { cookie }) },
      isFirstHop: !redirects.length,
    })
    const { statusCode, body } = response
    chain.onResponse?.({ url: hop.href, statusCode, durationMs: performance.now() - startedAt })
    cookies.store(response.headers['set-cookie'], hop)
    const location = isRedirect(statusCode) ? decodeLocation(response.headers.location) : undefined
    if (!location) return { url: hop.href, statusCode, headers: response.headers, redirects, body }

    await skipBody(body, parts.signal)
    const next = nextHop(location, hop)
    addRedirect(chain, { statusCode, url: hop.href }, next)
    hop = next
  }
}

/** @throws  {PageError} `EMAXREDIRECTS` */
export function addRedirect({ redirects }: RedirectChain, redirect: Redirect, next: URL): void {
  redirects.push(redirect)
  if (redirects.length > MAX_REDIRECTS) throw tooManyRedirects(next, redirects)
}

async function requestHop(
  hop: URL,
  { guard, isFirstHop, isSloppy, ...options }: FetchParts & Omit<RequestOptions, 'chain'> & { isFirstHop: boolean },
): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { body: Readable }> {
  try {
    // The dispatcher connects to the address of this check; a request on an open connection has no other one.
    const target = await guard.check(hop, { signal: options.signal })
    const sendSloppy = () =>
      requestSloppy(hop, target, { ...options, rawHeaders: Object.entries(options.headers).flat() })
    const response = await (isSloppy
      ? sendSloppy()
      : request(hop, options).catch((error: unknown) => {
          if (!isSloppyResponseError(error)) throw error
          return sendSloppy()
        }))
    // Destroying a body before its end emits an error; without a listener it would end the process.
    response.body.on('error', () => {})
    return response
  } catch (cause) {
    options.signal.throwIfAborted()
    const error = toFetchError(cause, hop.href)
    if (error.code === 'EINVALURL' && !isFirstHop)
      throw unreachableError('The page', `it redirects to ${hop.host}: ${error.data?.url ?? error.message}`, cause)
    throw error
  }
}

const isRedirect = (statusCode: number) => [301, 302, 303, 307, 308].includes(statusCode)

const MAX_SKIPPED_BYTES = 65_536
const MAX_SKIP_MS = 250

/** Reads the short body of a redirect, so that its connection can be used for the next hop. */
async function skipBody(body: Readable, signal: AbortSignal): Promise<void> {
  const timer = setTimeout(() => body.destroy(), MAX_SKIP_MS)
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_SKIPPED_BYTES || signal.aborted) break
    }
  } catch {
    // Only the header of a redirect counts.
  } finally {
    clearTimeout(timer)
  }
  signal.throwIfAborted()
}

/** undici decodes headers as Latin-1, but most servers send UTF-8. */
export function decodeLocation(location: string | string[] | undefined): string | undefined {
  const [first] = [location].flat()
  if (first === undefined) return undefined
  const bytes = Buffer.from(first, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : first
}

function nextHop(location: string, hop: URL): URL {
  const next = location.length <= MAX_LOCATION_CHARS ? parseUrl(location, hop.href) : undefined
  if (!next || !/^https?:$/.test(next.protocol))
    throw unreachableError('The page', `it redirects to ${quote(location)}, which is not http or https`)
  if (!next.hash) next.hash = hop.hash
  return next
}

function tooManyRedirects(next: URL, redirects: readonly Redirect[]): PageError {
  const isCircle = redirects.some(({ url }) => url === next.href)
  const reason = isCircle ? 'it redirects in a circle' : `it redirects more than ${MAX_REDIRECTS} times`
  const advice = isCircle ? 'Check the page in a browser.' : 'Request the final URL directly.'
  const sentence = isCircle ? 'redirects in a circle' : 'redirects too many times'
  return new PageError('EMAXREDIRECTS', `${next.host} ${sentence}. ${advice}`, { data: { url: reason } })
}
