import type { Hono } from 'hono'
import type { Connection, ReceivedRequest } from './received-request.js'

/** Types of Hono's `c.env` and `c.var`: https://hono.dev/docs/api/context */
export interface RouterEnv {
  Bindings: Connection
  Variables: {
    request: ReceivedRequest
    /** Cache status of the response for the metrics; `none` where it has none. */
    cacheStatus: string
    /** What failed the request, if anything. */
    failure?: unknown
  }
}

export type Router = Hono<RouterEnv>
