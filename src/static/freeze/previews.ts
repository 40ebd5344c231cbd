import pLimit from 'p-limit'
import { setMaxListeners } from 'node:events'
import { canParseUrl } from '../../query/written-url.js'
import { PageError } from '../../query/index.js'
import { withTimeout } from '../../server/static-tools.js'
import { FreezeError } from '../files.js'
import {
  DEFAULT_CONCURRENCY,
  MAX_BUSY_MS,
  openPreviewSource,
  type ImageField,
  type VariantType,
  type PreviewSource,
  type PreviewSourceOptions,
} from '../preview-source.js'
import { affectsAllRequests, capturePreview, concernsPage, describeFailure } from './capture-preview.js'
import type { CardRequest } from './card-request.js'
import { imageNames, withImages, type FrozenPreview } from './frozen-preview.js'
import { addToLock, failedEntry, readLock, writeLock, type Failure, type Lock, type LockEntry } from './lock.js'
import { findLostPicks, type PickedField } from './lost-picks.js'
import { openPreviewCache, type PreviewCache } from './preview-cache.js'

/** Where previews come from, and where they are stored. */
export interface OpenPreviewsOptions extends PreviewSourceOptions {
  /** The lock file. Default: `page-preview.lock.json` in the working folder. */
  lock?: string | undefined
  /** Folder of images and finished previews, to be kept between runs. Default: `.page-preview-cache` in the working folder. */
  cache?: string | undefined
  /** Folder of the images that an earlier run has written into the site, which are used if the cache lacks them. */
  writtenImages?: string | undefined
  /** Types of image files, in addition to the own type of an image. Default: `webp`. */
  imageTypes?: readonly VariantType[] | undefined
  /** Age in milliseconds after which a preview is captured again. Default: never. */
  maxAge?: number | undefined
  /** URLs whose previews are captured again. */
  refresh?: readonly string[] | undefined
  /** Uses the lock file and the cache alone. Default: false. */
  offline?: boolean | undefined
  /**
   * Like `offline`, but fails if a preview is not in the lock file, or an image not in the cache, as `npm ci` does. It freezes the
   * lock file; the cards of every run are frozen. Default: false.
   */
  frozen?: boolean | undefined
  /** Adds a URL of the Wayback Machine to links that fail, without requesting it. Default: false. */
  archive?: boolean | undefined
  /** Previews that are captured at the same time. Default: 2. */
  concurrency?: number | undefined
  /** Replaces the service; it is not closed. */
  source?: PreviewSource | undefined
  /** Stops the run; finished previews are kept. */
  signal?: AbortSignal | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: (() => number) | undefined
  /** Called for each preview as soon as it is known. */
  onPreview?: ((event: PreviewEvent) => void) | undefined
}

/** Where the preview of a link came from. */
export interface PreviewEvent {
  /** Identifies the preview, as the `key` of its request does; a page may have several. */
  key: string
  /** The page of the link. */
  url: string
  /** Captured for the first time, taken from the lock file and the cache, captured again, or failed. */
  outcome: 'new' | 'cached' | 'refreshed' | 'failed'
  /** Why it failed; absent otherwise. */
  failure?: Failure | undefined
  /** Whether a failed link has a card with its last good result. */
  hasPreview: boolean
  /** Images that its card lacks, because they could not be captured in this run or are documents, such as SVG. */
  omittedImages?: readonly OmittedImage[] | undefined
  /** What was picked for its card, but is no longer on the page: the card has the best one instead. */
  lostPicks?: readonly PickedField[] | undefined
}

/** An image that a card lacks. */
export interface OmittedImage {
  /** The field of the data that names it. */
  field: ImageField
  /** Why, as a sentence. */
  message: string
}

/** Previews from the lock file and the cache, else captured; each request once, however often it is resolved. */
export interface Previews {
  /**
   * The preview of a request, captured if need be.
   *
   * @returns  `undefined` if nothing is known about the page.
   * @throws   {FreezeError} when the cache cannot be written; the reason of the signal when that aborts.
   */
  resolve(request: CardRequest): Promise<FrozenPreview | undefined>
  /** Names of the image files that resolved previews need. */
  imageNames(): readonly string[]
  /**
   * The bytes of an image file.
   *
   * @returns  `undefined` if the image is neither in the cache nor in the site.
   */
  readImage(name: string): Promise<Uint8Array | undefined>
  /** Why the service could not be used; `undefined` when it could. */
  serviceFailure(): Failure | undefined
  /**
   * Writes the lock file.
   *
   * @param isComplete  Whether only the resolved previews are needed, so that others are removed from it.
   * @throws            {FreezeError}
   */
  save(options: { isComplete: boolean }): Promise<void>
  /**
   * Removes files that no resolved preview needs from the cache folder, once the lock file is written.
   *
   * @throws  {FreezeError}
   */
  prune(): Promise<void>
  /** Stops running captures, and the browser. */
  close(): Promise<void>
}

export const DEFAULT_LOCK = 'page-preview.lock.json'
export const DEFAULT_CACHE = '.page-preview-cache'
export const DEFAULT_IMAGE_TYPES: readonly VariantType[] = ['webp']
/** While the images of one preview are converted, the browser captures the next. */
const REQUESTS_PER_CAPTURE = 2

/** @throws  {FreezeError} when the lock file cannot be read. */
export async function openPreviews(options: OpenPreviewsOptions = {}): Promise<Previews> {
  const { lock: lockPath = DEFAULT_LOCK, concurrency = DEFAULT_CONCURRENCY } = options
  const lock = await readLock(lockPath)
  const cache = openPreviewCache(options.cache ?? DEFAULT_CACHE, options.writtenImages)
  const source = options.source ?? openPreviewSource({ ...options, concurrency })
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const onAbort = () => stop.abort(options.signal?.reason)
  if (options.signal?.aborted) onAbort()
  options.signal?.addEventListener('abort', onAbort)

  const resolver = createResolver({ ...options, lock, cache, source, signal: stop.signal })
  const limit = pLimit(Math.max(1, concurrency) * REQUESTS_PER_CAPTURE)
  const resolved = new Map<string, Promise<FrozenPreview | undefined>>()
  const images = new Set<string>()
  const resolveOnce = async (request: CardRequest) => {
    const preview = await limit(() => resolver.resolve(request))
    for (const name of imageNames(preview)) images.add(name)
    return preview
  }
  return {
    resolve(request) {
      const preview = resolved.get(request.key) ?? resolveOnce(request)
      resolved.set(request.key, preview)
      return preview
    },
    imageNames: () => [...images].toSorted(),
    readImage: async (name) => (await cache.readImage(name)) ?? cache.readWrittenImage(name),
    serviceFailure: () => resolver.serviceFailure(),
    async save({ isComplete }) {
      // A frozen lock file is not written.
      if (options.frozen) return
      if (isComplete) return writeLock(lockPath, resolver.used)
      const changed = [...resolver.used].filter(([key, entry]) => entry !== lock.get(key))
      await addToLock(lockPath, new Map(changed))
    },
    prune: () => cache.prune(images),
    async close() {
      options.signal?.removeEventListener('abort', onAbort)
      stop.abort(new FreezeError('The run has ended.'))
      await Promise.allSettled(resolved.values())
      if (!options.source) await source.close()
    },
  }
}

/** An open run: its options, with the contents of the lock file and the folder of the cache in place of their paths. */
interface Run extends Omit<OpenPreviewsOptions, 'lock' | 'cache'> {
  lock: Lock
  cache: PreviewCache
  source: PreviewSource
  signal: AbortSignal
}

/** What is known of a preview before it is captured. */
interface KnownPreview {
  entry: LockEntry | undefined
  /** Files of its images that are not in the cache. */
  uncached: ReadonlySet<string>
  /** Those that are not in the site either. */
  missing: ReadonlySet<string>
}

/** How a request was resolved. */
interface Resolution {
  outcome: PreviewEvent['outcome']
  entry: LockEntry | undefined
  failure?: Failure | undefined
  omittedImages?: readonly OmittedImage[] | undefined
  lostPicks?: readonly PickedField[] | undefined
}

/**
 * The deadline of a preview, with all its attempts and pauses. Longer than the pauses, so that a busy service is reported as such
 * and not as a slow page; and long enough for three attempts at a page in two colour schemes, of up to 28 seconds each.
 */
const PREVIEW_TIMEOUT_MS = MAX_BUSY_MS + 60_000
const NOT_IN_LOCK = { code: 'NOT-IN-LOCK', message: 'The preview is not in the lock file, and requests are disabled.' }
const LOST_IMAGE = 'It is neither in the cache folder nor in the site, and could not be captured again.'
const NO_IMAGES = {
  code: 'NO-IMAGES',
  message: 'The images of the preview are not in the cache folder, and requests are disabled.',
}

/** Decides for each request whether it is taken from the lock file or captured. */
function createResolver(run: Run) {
  const { lock, cache, signal, offline, frozen: isLockFrozen, clock = Date.now, maxAge = Infinity } = run
  const refreshed = new Set(run.refresh?.map(normalUrl))
  const used: Lock = new Map()
  let serviceFailure: Failure | undefined

  const isExpired = ({ preview }: LockEntry) => clock() - Date.parse(preview?.date ?? '') > maxAge
  const isUpToDate = ({ entry, uncached }: KnownPreview, { query }: CardRequest) =>
    entry?.preview && uncached.size === 0 && !entry.failure && !isExpired(entry) && !refreshed.has(normalUrl(query.url))

  /** Looks a preview up in the lock file, and in the cache if the lock file has no current one. */
  async function findKnown(key: string): Promise<KnownPreview> {
    const locked = lock.get(key)
    const isDue = !locked?.preview || isExpired(locked)
    // A run that was killed may have finished previews that are not in the lock file.
    const cached = isDue && !isLockFrozen ? await cache.readPreview(key) : undefined
    const entry = newest(locked, cached)
    const names = imageNames(entry?.preview)
    const uncached = await absentIn(names, (name) => cache.readImage(name))
    const missing = await absentIn(uncached, (name) => cache.readWrittenImage(name))
    return { entry, uncached: new Set(uncached), missing: new Set(missing) }
  }

  async function captureOrKeep(request: CardRequest, known: KnownPreview): Promise<Resolution> {
    const { entry } = known
    if (serviceFailure) return { outcome: 'failed', entry, failure: serviceFailure, omittedImages: lostImages(known) }
    try {
      return { outcome: entry?.preview ? 'refreshed' : 'new', ...(await capture(request, entry)) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof FreezeError) throw error
      return { ...keepAfterFailure(request, entry, error), omittedImages: lostImages(known) }
    }
  }

  async function capture(request: CardRequest, known: LockEntry | undefined) {
    const { source, imageTypes = DEFAULT_IMAGE_TYPES } = run
    const force = known?.preview !== undefined
    const omitted = new Map<ImageField, OmittedImage>()
    const onOmittedImage = (field: ImageField, message: string) => void omitted.set(field, { field, message })
    const preview = await withTimeout(
      (either) =>
        capturePreview(request, {
          source,
          cache,
          imageTypes,
          force,
          known: known?.preview,
          onOmittedImage,
          signal: either,
        }),
      { signal, timeoutMs: PREVIEW_TIMEOUT_MS, timeoutError },
    )
    const entry: LockEntry = { url: request.query.url, preview }
    await cache.writePreview(request.key, entry)
    const lostPicks = findLostPicks(request.query, preview.data)
    return { entry, omittedImages: [...omitted.values()], lostPicks }
  }

  /** A service that fails or is busy says nothing about the page, so the entry of the page does not record it. */
  function keepAfterFailure(request: CardRequest, known: LockEntry | undefined, error: unknown): Resolution {
    const failure = describeFailure(error)
    if (affectsAllRequests(error)) serviceFailure ??= failure
    const entry = concernsPage(error)
      ? failedEntry(request.query.url, known, { ...failure, now: clock(), archive: run.archive ?? false })
      : known
    return { outcome: 'failed', entry, failure }
  }

  return {
    /** The entries of all requests so far. */
    used,
    serviceFailure: () => serviceFailure,
    async resolve(request: CardRequest): Promise<FrozenPreview | undefined> {
      signal.throwIfAborted()
      const known = await findKnown(request.key)
      const isKnownUsed = offline || isLockFrozen || isUpToDate(known, request)
      const resolution = isKnownUsed ? resolveFromKnown(known) : await captureOrKeep(request, known)
      run.onPreview?.(previewEvent(request, resolution))
      const { entry, outcome } = resolution
      if (!entry) return undefined
      used.set(request.key, entry)
      const isCaptured = outcome === 'new' || outcome === 'refreshed'
      return toFrozenPreview(entry, isCaptured ? new Set() : known.missing)
    },
  }
}

/** Uses what the lock file and the cache have, even if it is out of date or incomplete; sends no request. */
function resolveFromKnown({ entry, missing }: KnownPreview): Resolution {
  if (!entry) return { outcome: 'failed', entry, failure: NOT_IN_LOCK }
  const failure = missing.size > 0 ? NO_IMAGES : entry.failure
  return { outcome: failure ? 'failed' : 'cached', entry, failure }
}

async function absentIn(names: readonly string[], readImage: PreviewCache['readImage']): Promise<string[]> {
  const found = await Promise.all(names.map((name) => readImage(name)))
  return names.filter((_, index) => !found[index])
}

/** The images that the card of a preview has lost, because no earlier run has left their files. */
function lostImages({ entry, missing }: KnownPreview): OmittedImage[] {
  const preview = entry?.preview
  const fields = [
    ['icon', 'logo'],
    ['image', preview?.data.screenshot ? 'screenshot' : 'image'],
  ] as const
  return fields.flatMap(([name, field]) =>
    preview?.[name]?.files.some((file) => missing.has(file.name)) ? { field, message: LOST_IMAGE } : [],
  )
}

const previewEvent = (
  { key, query }: CardRequest,
  { outcome, entry, failure, omittedImages, lostPicks }: Resolution,
): PreviewEvent => ({
  key,
  url: query.url,
  outcome,
  hasPreview: Boolean(entry?.preview),
  ...(failure && { failure }),
  ...(omittedImages?.length && { omittedImages }),
  ...(lostPicks?.length && { lostPicks }),
})

/** The preview as its card shows it. */
function toFrozenPreview({ preview, failure }: LockEntry, missing: ReadonlySet<string>): FrozenPreview | undefined {
  const archiveUrl = failure?.archive
  if (!preview) return archiveUrl ? { data: {}, date: failure.since, archiveUrl } : undefined
  return {
    ...withImages(preview, (name) => missing.has(name)),
    ...(failure && { isStale: true }),
    ...(archiveUrl && { archiveUrl }),
  }
}

const timeoutError = () =>
  new PageError('ETIMEOUT', `The preview was not finished within ${PREVIEW_TIMEOUT_MS / 1_000} seconds.`)

const normalUrl = (url: string) => (canParseUrl(url) ? new URL(url).href : url)

function newest(locked: LockEntry | undefined, cached: LockEntry | undefined): LockEntry | undefined {
  const dateOf = (entry: LockEntry | undefined) => entry?.preview?.date ?? ''
  return cached && dateOf(cached) > dateOf(locked) ? cached : locked
}
