import type { Hono } from 'hono'
import type { ResultContext } from '../results/index.js'
import type { Log } from '../log.js'
import type { Plan } from './plan.js'

/** What whoever listens knows of a connection. */
export interface Connection {
  /** Address of the other end. Default `127.0.0.1`. */
  clientAddress?: string
  /** Which host was asked. Default: by `proHost` and `proPublicUrl`, else free. */
  plan?: Plan
}

/** What is known of a request before it is answered. */
export interface RequestFacts {
  requestId: string
  /** On the clock of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** Address of the service for this request, without slash at the end. */
  base: string
  /** Whom the daily limit counts. */
  client: string
  /** What the answer said of the cache; `none` where it says nothing. */
  cache: string
}

export interface AppEnvironment {
  Bindings: Connection
  Variables: RequestFacts
}

export type App = Hono<AppEnvironment>

export interface AppOptions {
  context: ResultContext
  log: Log
  freeDailyLimit: number
  trustProxy: number
  publicUrl?: string | undefined
  proPublicUrl?: string | undefined
  proHost?: string | undefined
  /** Folder of the built script tag, playground and stylesheet. */
  assetsDir: string
  version: string
  /** Pages that the playground offers to try. */
  examples: readonly { label: string; url: string; lang?: string }[]
}
