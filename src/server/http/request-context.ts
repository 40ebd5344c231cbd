import { randomUUID } from 'node:crypto'
import type { AppOptions } from './app-options.js'
import { createClientAddresses } from './client-address.js'
import type { Connection } from './connection.js'
import { planOf, type Plan } from './plan.js'

/** The properties of a request that all its handlers share. */
export interface RequestContext {
  requestId: string
  /** Reading of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** URL of the service for this request, without trailing slash. */
  base: string
  /** The client that the daily limit counts for. */
  client: string
}

/** Creates the context of each request from its absolute URL, `x-forwarded-for` and connection. */
export type CreateRequestContext = (
  url: string,
  forwardedFor: string | null | undefined,
  connection: Connection,
) => RequestContext

const LOOPBACK = '127.0.0.1'

export function requestContextFactory(
  options: Pick<AppOptions, 'trustProxy' | 'proHost' | 'publicUrl' | 'proPublicUrl'>,
): CreateRequestContext {
  const clientOf = createClientAddresses(options.trustProxy)
  return (url, forwardedFor, connection) => {
    const plan = connection.plan ?? planOf(url, options)
    const publicUrl = plan === 'pro' ? options.proPublicUrl : options.publicUrl
    return {
      requestId: randomUUID(),
      startedAt: performance.now(),
      plan,
      base: publicUrl ?? originOf(url),
      client: clientOf(connection.clientAddress ?? LOOPBACK, forwardedFor ?? null),
    }
  }
}

/** `new URL(url).origin` for an absolute URL, but without the cost of parsing it, which cached responses would notice. */
const originOf = (url: string) => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))
