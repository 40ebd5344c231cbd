import type { DailyLimit } from '../budget/index.js'
import type { EventLoopWatch } from '../watch-event-loop.js'
import type { KeyVerifier } from '../keys/index.js'
import type { RequestLog } from '../log.js'
import type { ImageVariants } from '../media/index.js'
import type { ServiceParts } from '../results/index.js'
import type { Compressor } from './content-coding.js'
import type { Metrics } from './metrics.js'
import type { HostOptions, ReceiveRequest } from './received-request.js'
import type { RequestScopes } from './request-scopes.js'
import type { ResponseCache } from './response-cache.js'

export interface AppOptions extends HostOptions {
  parts: ServiceParts
  keys: KeyVerifier
  requestLog: RequestLog
  metrics: Metrics
  eventLoop: EventLoopWatch
  /** Whether the service is about to close, so that `/readyz` responds 503. */
  isDraining: () => boolean
  /** Leaves `/readyz` and `/metrics` to the admin port. */
  hasAdminPort: boolean
  /** Uncached requests per client and day on the free host. */
  freeDailyLimit: number
  /** Folder with the built script tag and stylesheet. */
  assetsDir: string
  /** Folder with the built playground. */
  playgroundDir: string
  version: string
  /** Sample pages offered in the playground. */
  examples: readonly { label: string; url: string; lang?: string }[]
}

/** What the routes share: the options, and one of each that they use. */
export interface AppParts extends AppOptions {
  receive: ReceiveRequest
  scopes: RequestScopes
  dailyLimit: DailyLimit
  variants: ImageVariants
  compress: Compressor
  responseCache: ResponseCache
}
