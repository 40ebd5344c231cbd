import type { EventLoopWatch } from '../event-loop/index.js'
import type { KeyVerifier } from '../keys/index.js'
import type { RequestLog } from '../log/index.js'
import type { ResultContext } from '../results/index.js'
import type { Metrics } from './metrics.js'
import type { HostOptions } from './plan.js'

export interface AppOptions extends HostOptions {
  context: ResultContext
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
  /** Number of trusted reverse proxies in front of the service. */
  trustProxy: number
  /** Public URL of the free host. Default: the origin of each request. */
  publicUrl?: string | undefined
  /** Folder with the built script tag and stylesheet. */
  assetsDir: string
  /** Folder with the built playground. */
  playgroundDir: string
  version: string
  /** Sample pages offered in the playground. */
  examples: readonly { label: string; url: string; lang?: string }[]
}
