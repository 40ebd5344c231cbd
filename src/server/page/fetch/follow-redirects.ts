import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { PageError } from '../../../query/index.js'
import { parseUrl } from '../parse-url.js'
import type { FetchContext } from './fetch-context.js'
import { toFetchError, unreachableError } from './fetch-error.js'

/** The response at the end of a redirect chain; its `body` has yet to be read or destroyed. */
export interface FinalResponse {
  url: string
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The hops that redirected, each with its own status. */
  redirects: { statusCode: number; url: string }[]
  body: Readable
}

export interface FollowRedirectsOptions extends FetchContext {
  method?: 'GET' | 'HEAD'
  /** Sent to every hop. */
  headers: Readonly<Record<string, string>>
  /** Sent to the origin of `url` only; override `headers`. */
  originHeaders?: Readonly<Record<string, string>> | undefined
}

const MAX_LOCATION_CHARS = 8_192
const MAX_REDIRECTS = 10

/**
 * Requests a URL and follows its redirects; the guard checks the URL of each hop.
 *
 * @throws  {PageError} `EFORBIDDENURL`, `EINVALURL` (the first URL only), `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`.
 * @see     https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function followRedirects(url: string, options: FollowRedirectsOptions): Promise<FinalResponse> {
  const { headers, originHeaders = {}, method = 'GET', ...context } = options
  const { origin } = new URL(url)
  const redirects: FinalResponse['redirects'] = []
  let hop = new URL(url)
  for (;;) {
    const response = await requestHop(hop, {
      ...context,
      method,
      headers: { ...headers, ...(hop.origin === origin && originHeaders) },
      isFirstHop: !redirects.length,
    })
    const { statusCode, body } = response
    const location = isRedirect(statusCode) ? decodeLocation(response.headers.location) : undefined
    if (location === undefined) return { url: hop.href, statusCode, headers: response.headers, redirects, body }

    await body.dump({ limit: 65_536, signal: context.signal })
    redirects.push({ statusCode, url: hop.href })
    if (redirects.length > MAX_REDIRECTS) throw tooManyRedirects(hop)
    hop = nextHop(location, hop)
  }
}

interface HopOptions extends FetchContext {
  method: 'GET' | 'HEAD'
  headers: Record<string, string>
  isFirstHop: boolean
}

async function requestHop(hop: URL, { guard, isFirstHop, ...options }: HopOptions): Promise<Dispatcher.ResponseData> {
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
  return new PageError('EMAXREDIRECTS', `${hop.host} could not be read: ${reason}. Request the URL that it leads to.`, {
    data: { url: reason },
  })
}
