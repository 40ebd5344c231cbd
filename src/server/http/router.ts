import type { Hono } from 'hono'
import type { Connection } from './connection.js'
import type { RequestContext } from './request-context.js'

/** Types of Hono's `c.env` and `c.var`: https://hono.dev/docs/api/context */
export interface RouterEnv {
  Bindings: Connection
  Variables: {
    request: RequestContext
    /** Cache status of the response for the metrics; `none` where it has none. */
    cacheStatus: string
    /** What failed the request, if anything. */
    failure?: unknown
  }
}

export type Router = Hono<RouterEnv>
