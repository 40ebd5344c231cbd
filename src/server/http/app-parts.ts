import type { DailyLimit } from '../budget/index.js'
import type { KeyVerifier } from '../keys/index.js'
import type { RequestLog } from '../log.js'
import type { ImageVariants, MediaCache } from '../media/index.js'
import type { ServiceParts } from '../results/index.js'
import type { ServiceSettings } from '../service-options.js'
import type { EventLoopWatch } from '../watch-event-loop.js'
import type { Compressor } from './content-coding.js'
import type { Metrics } from './metrics.js'
import type { RequestScopes } from './request-scopes.js'
import type { ResponseCache } from './response-cache.js'

/** What the routes share. Each is one object for the whole life of the service. */
export interface AppParts extends ServiceParts {
  settings: ServiceSettings
  keys: KeyVerifier
  requestLog: RequestLog
  metrics: Metrics
  eventLoop: EventLoopWatch
  /** Whether the service is about to close, so that `/readyz` responds 503. */
  isDraining: () => boolean
  /** Folder with the built script tag and stylesheet. */
  assetsDir: string
  /** Folder with the built playground. */
  playgroundDir: string
  scopes: RequestScopes
  dailyLimit: DailyLimit
  variants: ImageVariants
  media: MediaCache
  /** Reads the stylesheet of HTML cards. */
  readCardStyles: () => Promise<string>
  compress: Compressor
  responseCache: ResponseCache
}
