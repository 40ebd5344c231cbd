import { PageError } from '../../query/index.js'
import { followSignals } from '../jobs/index.js'
import { isServiceFailure, type PreviewSource } from '../preview-source/index.js'
import type { PreviewCache } from './cache/open-preview-cache.js'
import { captureWithRetries } from './capture/capture-with-retries.js'
import { affectsAllRequests, describeFailure } from './capture/describe-failure.js'
import { PageFailure } from './capture/page-failure.js'
import { FreezeError } from './freeze-error.js'
import type { PreviewEvent, PreviewOptions } from './freeze-options.js'
import type { Lock, LockEntry } from './lock/lock-entry.js'
import { failedEntry } from './lock/update-entry.js'
import type { FrozenPreview, PreviewRequest } from './markup/index.js'
import { imageNames, withImages } from './preview-images.js'

interface ResolverOptions extends Omit<PreviewOptions, 'lock' | 'cache'> {
  lock: Lock
  cache: PreviewCache
  source: PreviewSource
  signal: AbortSignal
}

/** Decides for each request whether it is taken from the lock file or captured. */
export interface Resolver {
  resolve(key: string, request: PreviewRequest): Promise<FrozenPreview | undefined>
  /** The entries of all requests so far. */
  used: Lock
  serviceFailure(): Failure | undefined
}

interface Failure {
  code: string
  message: string
}

/** What is known of a request before it is captured. */
interface KnownPreview {
  entry: LockEntry | undefined
  /** Files of its images that are not in the cache. */
  missing: ReadonlySet<string>
}

/** Several times as long as a service takes for a page and its images. */
const PREVIEW_TIMEOUT_MS = 120_000
const NOT_IN_LOCK = { code: 'NOT-IN-LOCK', message: 'It is not in the lock file, and requests are disabled.' }
const NO_IMAGES = {
  code: 'NO-IMAGES',
  message: 'Its images are not in the cache folder, and requests are disabled.',
}

export function createResolver(options: ResolverOptions): Resolver {
  const { lock, cache, signal, offline, frozen, archive = false, clock = Date.now, maxAge = Infinity } = options
  const isOffline = Boolean(offline || frozen)
  const refreshed = new Set(options.refresh?.map(normalUrl))
  const imageTypes = options.imageTypes ?? ['webp']
  const used: Lock = new Map()
  let serviceFailure: Failure | undefined

  const isExpired = ({ preview }: LockEntry) => clock() - Date.parse(preview?.date ?? '') > maxAge
  const isRequested = ({ query }: PreviewRequest) => refreshed.has(normalUrl(query.url))
  const find = async (key: string): Promise<KnownPreview> => {
    const locked = lock.get(key)
    const isDue = !locked?.preview || isExpired(locked)
    // A run that was killed may have finished previews that are not in the lock file.
    const cached = isDue && !frozen ? await cache.readPreview(key) : undefined
    const entry = newest(locked, cached)
    const names = imageNames(entry?.preview)
    const found = await Promise.all(names.map((name) => cache.readImage(name)))
    return { entry, missing: new Set(names.filter((_, index) => !found[index])) }
  }
  const capture = async (key: string, request: PreviewRequest, { entry }: KnownPreview): Promise<LockEntry> => {
    const { url } = request.query
    const context = { source: options.source, cache, imageTypes }
    const preview = await withDeadline(signal, (either) =>
      captureWithRetries(request, { ...context, signal: either }, { force: entry?.preview !== undefined }),
    )
    const captured = { url, preview }
    await cache.writePreview(key, captured)
    return captured
  }
  const report = (request: PreviewRequest, outcome: PreviewEvent['outcome'], entry?: LockEntry, failure?: Failure) =>
    options.onPreview?.({
      url: request.query.url,
      outcome,
      hasPreview: Boolean(entry?.preview),
      ...(failure && { failure }),
    })

  return {
    used,
    serviceFailure: () => serviceFailure,
    async resolve(key, request) {
      signal.throwIfAborted()
      const known = await find(key)
      const { entry, missing } = known
      const finish = (found: LockEntry | undefined, isCaptured: boolean) => {
        if (found) used.set(key, found)
        return found && toFrozenPreview(found, isCaptured ? new Set() : missing)
      }
      const isComplete = entry?.preview && missing.size === 0
      const isGood = isComplete && !entry.failure && !isExpired(entry) && !isRequested(request)
      if (isGood || isOffline) {
        const failure = entry?.failure ?? (entry ? missing.size > 0 && NO_IMAGES : NOT_IN_LOCK)
        report(request, failure ? 'failed' : 'cached', entry, failure || undefined)
        return finish(entry, false)
      }
      try {
        if (serviceFailure) throw new ServiceFailure(serviceFailure)
        const captured = await capture(key, request, known)
        report(request, entry?.preview ? 'refreshed' : 'new', captured)
        return finish(captured, true)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof FreezeError) throw error
        const failure = error instanceof ServiceFailure ? error.failure : describeFailure(error)
        if (affectsAllRequests(error)) serviceFailure ??= failure
        const isFromService = !(error instanceof PageFailure) && isServiceFailure(error)
        const failed = isFromService ? entry : failedEntry(request, entry, { ...failure, now: clock(), archive })
        report(request, 'failed', failed, failure)
        return finish(failed, false)
      }
    },
  }
}

/** The service has failed for all requests. */
class ServiceFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message)
  }
}

function newest(locked: LockEntry | undefined, cached: LockEntry | undefined): LockEntry | undefined {
  const dateOf = (entry: LockEntry | undefined) => entry?.preview?.date ?? ''
  return cached && dateOf(cached) > dateOf(locked) ? cached : locked
}

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

async function withDeadline<Result>(
  signal: AbortSignal,
  work: (either: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(timeoutError()), PREVIEW_TIMEOUT_MS)
  const { signal: either, release } = followSignals([signal, deadline.signal])
  try {
    return await work(either)
  } finally {
    clearTimeout(timer)
    release()
  }
}

const timeoutError = () =>
  new PageError('ETIMEOUT', `The preview was not finished within ${PREVIEW_TIMEOUT_MS / 1_000} seconds.`)

const normalUrl = (url: string) => (URL.canParse(url) ? new URL(url).href : url)
