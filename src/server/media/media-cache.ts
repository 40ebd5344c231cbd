import pLimit from 'p-limit'
import { isPageError } from '../../query/index.js'
import { fetchMedia } from './fetch-media.js'
import type { ResultContext } from '../results/index.js'
import { createSingleFlight, runWithQuota } from '../jobs/index.js'
import { dimensionsOf, type MediaField } from './media-file.js'
import type { ImageName, CacheEntry } from '../store/index.js'

/** A medium whose bytes are kept. */
export interface CachedMedia {
  file: ImageName
  /** Pixels; `null` for sound and film. */
  width: number | null
  height: number | null
}

export interface ResolvedMedia {
  media: CachedMedia
  /** `STALE`: a new one could not be had, so this is older than the answer that names it. */
  status: 'HIT' | 'MISS' | 'STALE'
}

export interface MediaRequest {
  /** Milliseconds since 1970: when the answer that names it was made; what was fetched before that is fetched again. */
  createdAt: number
  signal: AbortSignal
  /** Called before anything is fetched for this client; may refuse by throwing. */
  consumeQuota: () => Promise<void>
}

/** The found media of pages, fetched when somebody asks for them, and kept with the answers that name them. */
export interface MediaCache {
  /** @throws {PageError} as `fetchMedia` does, when none is kept either. */
  give(url: string, field: MediaField, order: MediaRequest): Promise<ResolvedMedia>
}

/** As long as the longest ttl of an answer. */
const KEEP_MS = 31 * 86_400_000
/** Each may take 25 MB of memory. */
const MAX_AT_ONCE = 6

export function createMediaCache({ store, guard, dispatcher, failures, clock }: ResultContext): MediaCache {
  const flights = createSingleFlight<CachedMedia>()
  const limit = pLimit(MAX_AT_ONCE)

  async function fetchAndKeep(key: string, url: string, field: MediaField, signal: AbortSignal): Promise<CachedMedia> {
    try {
      const { bytes, fileType } = await limit(() => fetchMedia(url, field, { guard, dispatcher, signal }))
      const file = await store.writeImage(bytes, fileType)
      const body = { file, ...dimensionsOf(bytes) }
      const createdAt = clock()
      await store.writeEntry<CachedMedia>(key, { createdAt, expiresAt: createdAt + KEEP_MS, images: [file], body })
      return body
    } catch (error) {
      if (isPageError(error) && !signal.aborted) failures.remember(key, error)
      throw error
    }
  }

  return {
    async give(url, field, { createdAt, signal, consumeQuota }) {
      const key = `media ${field} ${url}`
      const kept: CacheEntry<CachedMedia> | undefined = await store.readEntry<CachedMedia>(key)
      if (kept && kept.createdAt >= createdAt) return { media: kept.body, status: 'HIT' }
      try {
        const earlier = failures.recall(key)
        if (earlier) throw earlier
        const fetchPaid = async (flight: AbortSignal) => {
          await consumeQuota()
          return fetchAndKeep(key, url, field, flight)
        }
        const media = await runWithQuota(flights, key, fetchPaid, { signal })
        return { media, status: 'MISS' }
      } catch (error) {
        if (kept) return { media: kept.body, status: 'STALE' }
        throw error
      }
    },
  }
}
