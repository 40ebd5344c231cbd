import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { PageError } from '../../query/index.js'
import type { Guard } from '../network/index.js'
import { describeFailure, unreachable } from './describe-failure.js'

/** Where a chain of redirects ended; `body` is still to be read or destroyed. */
export interface Arrival {
  url: string
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Each hop that led on: its address and what it answered. */
  redirects: { statusCode: number; url: string }[]
  body: Readable
}

export interface FollowOptions {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
  method?: 'GET' | 'HEAD'
  /** Sent at every hop. */
  headers: Readonly<Record<string, string>>
  /** Sent to the origin of `url` only, over `headers`. */
  ownHeaders?: Readonly<Record<string, string>>
}

const MAX_REDIRECTS = 10

/**
 * Asks for an address and follows it to its end; the address of each hop is checked again.
 *
 * @throws  {PageError} `EFORBIDDENURL`, `EINVALURL` (the first address only), `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`.
 * @see     https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export async function followRedirects(url: string, options: FollowOptions): Promise<Arrival> {
  const { guard, dispatcher, signal, method = 'GET', headers, ownHeaders = {} } = options
  const { origin } = new URL(url)
  const redirects: Arrival['redirects'] = []
  let hop = new URL(url)
  for (;;) {
    const sent = { ...headers, ...(hop.origin === origin && ownHeaders) }
    const answer = await ask(hop, { guard, dispatcher, signal, method, headers: sent, isFirst: !redirects.length })
    const { statusCode, headers: received, body } = answer
    const location = isRedirect(statusCode) ? readLocation(received.location) : undefined
    if (location === undefined) return { url: hop.href, statusCode, headers: received, redirects, body }

    await body.dump({ limit: 65_536, signal })
    redirects.push({ statusCode, url: hop.href })
    if (redirects.length > MAX_REDIRECTS) throw tooManyRedirects(hop)
    hop = nextHop(location, hop)
  }
}

interface Ask {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
  method: 'GET' | 'HEAD'
  headers: Record<string, string>
  isFirst: boolean
}

async function ask(hop: URL, { guard, isFirst, ...options }: Ask): Promise<Dispatcher.ResponseData> {
  try {
    // Checked here too, and not only by the dispatcher: a connection that is still open would not be asked again.
    await guard.check(hop, { signal: options.signal })
    const answer = await request(hop, options)
    // A body that is dropped before its end says so with an error; whoever reads it hears of errors by reading.
    answer.body.on('error', () => {})
    return answer
  } catch (cause) {
    options.signal.throwIfAborted()
    const failure = describeFailure(cause, hop.href)
    if (failure.code === 'EINVALURL' && !isFirst)
      throw unreachable('The page', `it redirects to ${hop.host}, which does not exist`, cause)
    throw failure
  }
}

const isRedirect = (statusCode: number) => [301, 302, 303, 307, 308].includes(statusCode)

/** undici reads headers as Latin 1; what most servers mean is UTF-8. */
function readLocation(location: string | string[] | undefined): string | undefined {
  const [first] = [location].flat()
  if (first === undefined) return undefined
  const bytes = Buffer.from(first, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : first
}

function nextHop(location: string, hop: URL): URL {
  const next = URL.canParse(location, hop.href) ? new URL(location, hop) : undefined
  if (!next || !/^https?:$/.test(next.protocol))
    throw unreachable('The page', `it redirects to "${location.slice(0, 99)}", which is not http or https`)
  if (!next.hash) next.hash = hop.hash
  return next
}

function tooManyRedirects(hop: URL): PageError {
  const reason = `it redirects more than ${MAX_REDIRECTS} times`
  return new PageError(
    'EMAXREDIRECTS',
    `${hop.host} could not be read: ${reason}. Give the address it should end at.`,
    {
      data: { url: reason },
    },
  )
}
