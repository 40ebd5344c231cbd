import { parseTraceParent, type TraceParent } from '../tracing/index.js'
import type { AppOptions } from './app-options.js'
import { createClientAddresses } from './client-address.js'
import type { Connection } from './connection.js'
import { planOf, type Plan } from './plan.js'
import { requestIdOf } from './request-id.js'

/** The properties of a request that all its handlers share. */
export interface RequestContext {
  /** The caller's own, where it has sent a valid one. */
  requestId: string
  /** The `traceparent` of the caller, where it has sent a valid one. */
  traceParent: TraceParent | undefined
  /** Reading of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** URL of the service for this request, without trailing slash. */
  base: string
  /** The client that the daily limit counts for. */
  client: string
}

/** What the context of a request is created from. */
export interface RequestSource extends Connection {
  /** Absolute. */
  url: string
  forwardedFor?: string | undefined
  requestId?: string | undefined
  traceparent?: string | undefined
}

export type CreateRequestContext = (source: RequestSource) => RequestContext

const LOOPBACK = '127.0.0.1'

export function requestContextFactory(
  options: Pick<AppOptions, 'trustProxy' | 'proHost' | 'publicUrl' | 'proPublicUrl'>,
): CreateRequestContext {
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

/** `new URL(url).origin` for an absolute URL, but without the cost of parsing it, which cached responses would notice. */
const originOf = (url: string) => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
