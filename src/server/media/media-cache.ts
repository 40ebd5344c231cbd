import { canParseUrl } from '../../query/written-url.js'
import { fields, isPageError, PageError, type ErrorCode } from '../../query/index.js'
import { createFairQueue, type ReservedMemory, type Waiters } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { hostnameOf } from '../hostnames.js'
import { createSingleFlight, readFailure, runOrTakeOver, writeFailure } from '../jobs/index.js'
import { decodeImageUrl, fetchFile, type FetchFileOptions, type PageParts } from '../page/index.js'
import type { Caller } from '../request-scope.js'
import type { ResultParts } from '../results/index.js'
import { digest, subjectOfUrl, type ImageName, type Subject } from '../store/index.js'
import { declaredFileType, detectImageType, dimensionsOf, type MediaField } from './media-file.js'

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

/** The result that refers to a media file. */
export interface ReferringResult {
  /** Milliseconds since 1970; files that were fetched before it are fetched again. */
  createdAt: number
  /** What the result shows. */
  subjects?: readonly Subject[] | undefined
}

/** The media files of pages, fetched on first request and stored as long as the results that refer to them. */
export interface MediaCache {
  /**
   * The file at a URL of a page. The hosts that a request is restricted to do not apply, because the page names the file.
   *
   * @throws {PageError} as `fetchMedia` does, and `EBUSY` when too many wait, unless an older file is stored.
   */
  resolve(url: string, field: MediaField, result: ReferringResult, caller: Caller): Promise<ResolvedMedia>
}

/** The parts that fetch and store media. */
type MediaParts = Pick<ResultParts, 'guard' | 'store' | 'clock'> & Pick<PageParts, 'dispatcher' | 'byteBudget'>

/** Each fetch may need 25 MB of memory. */
const MAX_CONCURRENT_FETCHES = 3
/** More places, only for clients with nothing running. */
const RESERVE = 3
const MAX_WAITING = 200
const MAX_WAITING_PER_CLIENT = 50

const MAX_BYTES = 25_000_000
const ACCEPT = 'image/avif,image/webp,image/*,audio/*,video/*,*/*;q=0.5'

/** The URL is not the caller's own, so messages name the field that it belongs to. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  ETOOLARGE: `is larger than ${MAX_BYTES / 1_000_000} MB`,
  ETIMEOUT: 'was not received in time',
  EFORBIDDENURL: 'is not at a public address',
}

export function createMediaCache(parts: MediaParts): MediaCache {
  const { store, guard, clock } = parts
  const flights = createSingleFlight<CachedMedia>()
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_FETCHES,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    fullError,
  })

  async function fetchOnce(file: MediaFile, result: ReferringResult, caller: Caller) {
    const { client, owner, signal, consumeQuota } = caller
    const failure = await readFailure(file.key, store.entries, clock())
    if (failure) throw failure
    const fetchWithQuota = async (flight: AbortSignal) => {
      const refund = await consumeQuota('media')
      const lastPurge = store.purges.lastPurge()
      try {
        return await parts.byteBudget.run(client, (memory) =>
          fetchAndStore(file, result, { ...caller, signal: flight }, memory, parts),
        )
      } catch (error) {
        if (isPageError(error) && error.code === 'EBUSY') await refund()
        if (isPageError(error) && !flight.aborted)
          await writeFailure(
            file.key,
            error,
            { subjects: subjectsOf(file, result), owner, lastPurge },
            { ...store, clock },
          )
        throw error
      }
    }
    const fetchInTurn = (flight: AbortSignal, waiters: Waiters) =>
      queue.run({ client, waiters }, () => fetchWithQuota(flight), flight)
    return runOrTakeOver(flights, file.key, fetchInTurn, { signal, waiter: { client } })
  }

  return {
    async resolve(url, field, result, caller) {
      const isInline = url.startsWith('data:')
      const key = `media ${field} ${isInline ? digest(url) : url}`
      if (!isInline && canParseUrl(url)) guard.checkHost(hostnameOf(new URL(url)))
      const cached = await store.entries.readEntry<CachedMedia>(key)
      if (cached && cached.createdAt >= result.createdAt) return { media: cached.body, cacheStatus: 'HIT' }
      try {
        return { media: await fetchOnce({ key, url, field }, result, caller), cacheStatus: 'MISS' }
      } catch (error) {
        if (cached) return { media: cached.body, cacheStatus: 'STALE' }
        throw error
      }
    },
  }
}

interface MediaFile {
  /** Key of the entry in the store. */
  key: string
  url: string
  field: MediaField
}

const subjectsOf = ({ url }: MediaFile, { subjects = [] }: ReferringResult) => [subjectOfUrl(url), ...subjects]

async function fetchAndStore(
  mediaFile: MediaFile,
  result: ReferringResult,
  { owner, signal }: Caller,
  memory: ReservedMemory,
  { store, guard, dispatcher, clock }: MediaParts,
): Promise<CachedMedia> {
  const { key, url, field } = mediaFile
  const startedAt = performance.now()
  const lastPurge = store.purges.lastPurge()
  const { bytes, fileType } = await fetchMedia(url, field, { guard: guard.forPage(), dispatcher, memory, signal })
  const file = await store.images.writeImage(bytes, fileType, owner, fields.ttl.max)
  const media: CachedMedia = { file, ...dimensionsOf(bytes) }
  // The clock of the instance that produced the result may be ahead.
  const createdAt = Math.max(clock(), result.createdAt)
  const allowances = guard.allowancesSince(startedAt)
  await store.entries.writeEntry(key, {
    createdAt,
    expiresAt: createdAt + fields.ttl.max,
    images: [file],
    owner,
    allowances,
    subjects: subjectsOf(mediaFile, result),
    lastPurge,
    body: media,
  })
  return media
}

/**
 * Fetches the image, logo, audio or video of a page: at most 25 MB, within 10 seconds. An image in a `data:` URL is decoded.
 *
 * @returns Its complete bytes, and the file extension without dot, `jpg`, `svg`, `mp3`: always one of the types that the service serves.
 * @throws  {PageError} `ENOEMBED` when it does not exist or has another type, `ETOOLARGE`, `ETIMEOUT`, `EUNREACHABLE`,
 *          `EFORBIDDENURL`, `EBUSY`. An aborted `signal` throws its own reason.
 */
async function fetchMedia(
  url: string,
  field: MediaField,
  options: Pick<FetchFileOptions, 'guard' | 'dispatcher' | 'memory' | 'signal'>,
): Promise<{ bytes: Uint8Array; fileType: string }> {
  const inline = decodeImageUrl(url)
  if (inline) return inline
  if (!/^https?:/i.test(url)) throw mediaError('ENOEMBED', field, 'does not have an http(s) URL')
  let declared: string | undefined
  const checkResponse: FetchFileOptions['checkResponse'] = ({ url: finalUrl, statusCode, contentType }) => {
    if (statusCode !== 200) throw mediaError('ENOEMBED', field, `could not be fetched (status ${statusCode})`)
    declared = declaredFileType(finalUrl, contentType, field)
    if (!declared) throw unsupportedType(field)
  }
  const bytes = await fetchFile(url, { ...options, accept: ACCEPT, maxBytes: MAX_BYTES, checkResponse }).catch(
    (error: unknown) => {
      options.signal.throwIfAborted()
      throw describeFailure(error, field)
    },
  )
  const fileType = declared === 'unknown' ? detectImageType(bytes) : declared
  if (!fileType || bytes.byteLength === 0) throw unsupportedType(field)
  return { bytes, fileType }
}

function describeFailure(error: unknown, field: MediaField): unknown {
  if (!isPageError(error) || error.code === 'ENOEMBED' || error.code === 'EBUSY') return error
  const reason = REASONS[error.code]
  return reason
    ? mediaError(error.code, field, reason, error)
    : mediaError('EUNREACHABLE', field, 'could not be fetched', error)
}

const unsupportedType = (field: MediaField) => mediaError('ENOEMBED', field, 'has a type that is not served')

const mediaError = (code: ErrorCode, field: MediaField, reason: string, cause?: unknown) =>
  new PageError(code, `The ${field} of the page ${reason}.`, { data: { embed: reason }, cause })

const fullError = () => busyError('Too many media files are being fetched')
