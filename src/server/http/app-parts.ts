import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Batches } from '../batches/index.js'
import { createDailyLimit } from '../budget/index.js'
import { loadOnce } from '../jobs/index.js'
import type { KeyVerifier } from '../keys/index.js'
import type { RequestLog } from '../log.js'
import { createImageVariants, createMediaCache } from '../media/index.js'
import type { PageParts } from '../page/index.js'
import type { Owners } from '../owners/index.js'
import type { ResultParts } from '../results/index.js'
import type { ServiceSettings } from '../service-options.js'
import type { EventLoopWatch } from '../watch-event-loop.js'
import { createCompressor } from './content-coding.js'
import type { Metrics, WorkerParts } from './metrics.js'
import { createRequestScopes, type Connection } from './request-scopes.js'
import { createResponseCache } from './response-cache.js'

/** What the service is made of before it has an HTTP interface: one of each for its whole life. */
export interface ServiceParts extends ResultParts, Pick<PageParts, 'dispatcher' | 'byteBudget' | 'images'> {
  settings: ServiceSettings
  keys: KeyVerifier
  batches: Batches
  owners: Owners
  requestLog: RequestLog
  metrics: Metrics
  eventLoop: EventLoopWatch
  /** `undefined` if pages are captured on other machines. */
  worker: WorkerParts | undefined
  /** How the requests to workers on other machines have ended, by outcome; `undefined` if there are none. */
  workerRequests: (() => Readonly<Record<string, number>>) | undefined
  /** The service itself, for a request that is made of others: it finishes them before it closes. */
  fetch: (request: Request, connection: Connection) => Promise<Response>
  /** Whether the service is about to close, so that `/readyz` responds 503. */
  isDraining: () => boolean
  /** Folder with the built script tag and stylesheet. */
  assetsDir: string
  /** Folder with the built playground. */
  playgroundDir: string
}

/** What a worker is made of, which captures pages for fronts and has no store. */
export interface WorkerAppParts extends Pick<
  ServiceParts,
  'settings' | 'guard' | 'extractor' | 'clock' | 'requestLog' | 'metrics' | 'eventLoop' | 'isDraining'
> {
  worker: WorkerParts
  /** What fronts have to know. */
  secret: string
}

/** What the routes share: the parts of the service, and one of each part that only its HTTP interface needs. */
export type AppParts = ReturnType<typeof addAppParts>

export function addAppParts(parts: ServiceParts) {
  const { store, events, clock, keys, settings, assetsDir } = parts
  const responseCache = createResponseCache(clock)
  store.purges.onPurge(() => responseCache.clear())
  events.on('replaced', responseCache.replace)
  const dailyLimit = createDailyLimit(store.counters, { limit: settings.freeDailyLimit, clock })
  return {
    ...parts,
    responseCache,
    dailyLimit,
    scopes: createRequestScopes(parts, keys, dailyLimit, settings),
    variants: createImageVariants(parts),
    media: createMediaCache(parts),
    /** Reads the stylesheet of HTML cards. After a failure the next request tries again: a build may be in progress. */
    readCardStyles: loadOnce(() => readFile(join(assetsDir, 'styles.css'), 'utf8')),
    compress: createCompressor(),
  }
}
