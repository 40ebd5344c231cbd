import { isPageError, PageError } from '../../query/index.js'
import { createFairQueue, type ByteBudget, type Refund, type ReservedMemory } from '../budget/index.js'
import { hostnameOf } from '../hostnames/index.js'
import { createSingleFlight, runWithQuota, type NegativeCache } from '../jobs/index.js'
import type { Guard } from '../network/index.js'
import { subjectOfUrl, type ImageName, type PurgeableStore, type Subject } from '../store/index.js'
import { fetchMedia, type FetchMediaOptions } from './fetch-media.js'
import { dimensionsOf, type MediaField } from './media-file.js'

/** A stored media file. */
export interface CachedMedia {
  file: ImageName
  /** Pixels; `null` for audio and video. */
  width: number | null
  height: number | null
}

/** `STALE`: fetching failed, so the file is older than the result that refers to it. */
export type MediaCacheStatus = 'HIT' | 'MISS' | 'STALE'

export interface ResolvedMedia {
  media: CachedMedia
  cacheStatus: MediaCacheStatus
}

export interface MediaRequest {
  /** Milliseconds since 1970: when the result that refers to the file was created; older files are fetched again. */
  createdAt: number
  /** What the result shows that refers to the file. */
  subjects?: readonly Subject[] | undefined
  /** The client that requests it. */
  client: string
  signal: AbortSignal
  /** Called before the file is fetched on behalf of this client; may throw `ERATE`. */
  consumeQuota: () => Promise<Refund>
}

/** The media files of pages, fetched on first request and stored as long as the results that refer to them. */
export interface MediaCache {
  /** @throws {PageError} as `fetchMedia` does, and `EBUSY` when too many wait, unless an older file is stored. */
  resolve(url: string, field: MediaField, request: MediaRequest): Promise<ResolvedMedia>
}

/** What media are fetched with and where they are stored. */
export interface MediaContext extends Omit<FetchMediaOptions, 'signal' | 'guard' | 'memory'> {
  guard: Guard
  store: PurgeableStore
  byteBudget: ByteBudget
  /** The owner of what is stored because of a client. */
  ownerOf: (client: string) => string
  failures: NegativeCache
  clock: () => number
}

/** The longest `ttl` of a result. */
const ENTRY_TTL_MS = 31 * 86_400_000
/** Each fetch may need 25 MB of memory. */
const MAX_CONCURRENT_FETCHES = 3
/** In addition, each of a client that has no other. */
const RESERVE = 3
const MAX_WAITING = 200
const MAX_WAITING_PER_CLIENT = 50
const BUSY_RETRY_MS = 2_000

export function createMediaCache(context: MediaContext): MediaCache {
  const { store, failures } = context
  const flights = createSingleFlight<CachedMedia>()
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_FETCHES,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    fullError: busyError,
  })

  async function fetchOnce(key: string, url: string, field: MediaField, request: MediaRequest) {
    const { client, signal, consumeQuota } = request
    const failure = failures.get(key)
    if (failure) throw failure
    const fetchWithQuota = async (flight: AbortSignal) => {
      const refund = await consumeQuota()
      try {
        return await context.byteBudget.run(client, (memory) =>
          fetchAndStore(key, { ...request, url, field, signal: flight }, { ...context, memory }),
        )
      } catch (error) {
        if (isPageError(error) && error.code === 'EBUSY') await refund()
        if (isPageError(error) && !flight.aborted) failures.set(key, error)
        throw error
      }
    }
    const fetchInTurn = (flight: AbortSignal) => queue.run({ client }, () => fetchWithQuota(flight), flight)
    return runWithQuota(flights, key, fetchInTurn, { signal })
  }

  return {
    async resolve(url, field, request) {
      const key = `media ${field} ${url}`
      if (URL.canParse(url)) context.guard.checkHost(hostnameOf(new URL(url)))
      const cached = await store.readEntry<CachedMedia>(key)
      if (cached && cached.createdAt >= request.createdAt) return { media: cached.body, cacheStatus: 'HIT' }
      try {
        return { media: await fetchOnce(key, url, field, request), cacheStatus: 'MISS' }
      } catch (error) {
        if (cached) return { media: cached.body, cacheStatus: 'STALE' }
        throw error
      }
    },
  }
}

const busyError = () =>
  new PageError('EBUSY', 'Too many media files are being fetched; try again in a few seconds.', {
    retryAfterMs: BUSY_RETRY_MS,
  })

async function fetchAndStore(
  key: string,
  { url, field, signal, ...request }: MediaRequest & { url: string; field: MediaField },
  { store, guard, dispatcher, memory, ownerOf, clock }: MediaContext & { memory: ReservedMemory },
): Promise<CachedMedia> {
  const startedAt = performance.now()
  const lastPurge = store.lastPurge()
  const { bytes, fileType } = await fetchMedia(url, field, { guard: guard.forPage(), dispatcher, memory, signal })
  const owner = ownerOf(request.client)
  const file = await store.writeImage(bytes, fileType, owner)
  const media: CachedMedia = { file, ...dimensionsOf(bytes) }
  // The clock of the instance that produced the result may be ahead.
  const createdAt = Math.max(clock(), request.createdAt)
  const allowances = guard.allowancesSince(startedAt)
  await store.writeEntry(key, {
    createdAt,
    expiresAt: createdAt + ENTRY_TTL_MS,
    images: [file],
    owner,
    allowances,
    subjects: [subjectOfUrl(url), ...(request.subjects ?? [])],
    lastPurge,
    body: media,
  })
  return media
}
