import type { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import type { Plan } from '../request-scope.js'
import { parseTraceParent, type TraceParent } from '../tracing.js'
import { createClientAddresses } from '../budget/index.js'

/** What a listener knows about the connection of a request. */
export interface Connection {
  /** IP address of the peer. Default: `127.0.0.1`. */
  clientAddress?: string
  /** Default: decided by `proHost` and `proPublicUrl`, else free. */
  plan?: Plan
}

/** A request as a listener receives it, before a `Request` is created from it. */
export interface RawRequest extends RequestSource {
  method: string | undefined
  ifNoneMatch: string | undefined
  acceptEncoding?: string | undefined
  /** The hosts that the request is restricted to, unparsed. */
  allowedHosts?: string | undefined
}

/** A response that a listener can write without changes. */
export interface RawResponse {
  status: number
  /** Names and values alternate. */
  headers: string[]
  /** Bytes, or text with one character per byte (latin1). */
  body: Uint8Array | string | undefined
}

/** Where a request came from and to, before anybody knows what it wants. */
export interface ReceivedRequest {
  /** The caller's own, if it has sent a valid one. */
  requestId: string
  /** The `traceparent` of the caller, if it has sent a valid one. */
  traceParent: TraceParent | undefined
  /** Reading of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** URL of the service for this request, without trailing slash. */
  base: string
  /** The network address that the daily limit counts for. */
  client: string
}

/** What of a request and its connection is read for `ReceivedRequest`. */
export interface RequestSource extends Connection {
  /** Absolute. */
  url: string
  forwardedFor?: string | undefined
  requestId?: string | undefined
  traceparent?: string | undefined
}

/** Types of Hono's `c.env` and `c.var`: https://hono.dev/docs/api/context */
export interface RouterEnv {
  Bindings: Connection
  Variables: {
    request: ReceivedRequest
    /** Cache status of the response for the metrics; `none` if it has none. */
    cacheStatus: string
    /** What failed the request, if anything. */
    failure?: unknown
  }
}

export type Router = Hono<RouterEnv>

export type ReceiveRequest = (source: RequestSource) => ReceivedRequest

/** Which requests belong to which host of the service, and by which URLs and proxies they come. */
export interface HostOptions {
  /** `Host` header of the pro host, with or without a port. */
  proHost?: string | undefined
  /** Public URL of the free host. Default: the origin of each request. */
  publicUrl?: string | undefined
  /** Public URL of the pro host. Default: the origin of each request. */
  proPublicUrl?: string | undefined
  /** Number of trusted reverse proxies in front of the service. */
  trustProxy: number
}

const LOOPBACK = '127.0.0.1'

/** Visible ASCII, so that it is safe in a header and a line of the log. Hono's `request-id` accepts neither all of it nor a raw request. */
const VALID_ID = /^[\x21-\x7e]{1,128}$/

export function createReceiver(options: HostOptions): ReceiveRequest {
  const clientOf = createClientAddresses(options.trustProxy)
  return ({ url, forwardedFor, requestId, traceparent, clientAddress, plan = planOf(url, options) }) => {
    const publicUrl = plan === 'pro' ? options.proPublicUrl : options.publicUrl
    return {
      requestId: requestIdOf(requestId),
      traceParent: parseTraceParent(traceparent),
      startedAt: performance.now(),
      plan,
      base: publicUrl ?? originOf(url),
      client: clientOf(clientAddress ?? LOOPBACK, forwardedFor ?? null),
    }
  }
}

/** The request ID that a reverse proxy has set, or a new one if that is missing or invalid. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && VALID_ID.test(header) ? header : randomUUID()

/** Decides by the `Host` of an absolute URL; without options every request is free. */
function planOf(url: string, { proHost, proPublicUrl }: HostOptions): Plan {
  if (!proHost && !proPublicUrl) return 'free'
  const { host, hostname } = new URL(url)
  const proName = proHost?.toLowerCase()
  // The scheme is ignored, because TLS may be terminated by a reverse proxy.
  const isPro = host === proName || hostname === proName || (proPublicUrl && host === new URL(proPublicUrl).host)
  return isPro ? 'pro' : 'free'
}

/** `new URL(url).origin` for an absolute URL, but without the cost of parsing it, which cached responses would notice. */
const originOf = (url: string) => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
