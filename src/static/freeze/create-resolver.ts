import { PageError } from '../../query/index.js'
import { withTimeout } from '../../server/jobs/index.js'
import { isServiceFailure, type PreviewSource } from '../preview-source/index.js'
import type { PreviewCache } from './cache/open-preview-cache.js'
import { captureWithRetries } from './capture/capture-with-retries.js'
import { affectsAllRequests, describeFailure } from './capture/describe-failure.js'
import { PageFailure } from './capture/page-failure.js'
import { findKnownPreview, type KnownPreview } from './find-known-preview.js'
import { FreezeError } from './freeze-error.js'
import type { PreviewEvent, OpenPreviewsOptions } from './freeze-options.js'
import type { Lock, LockEntry } from './lock/lock-entry.js'
import { failedEntry } from './lock/update-entry.js'
import type { FrozenPreview, CardRequest } from './markup/index.js'
import { withImages } from './preview-images.js'

interface ResolverOptions extends Omit<OpenPreviewsOptions, 'lock' | 'cache'> {
  lock: Lock
  cache: PreviewCache
  source: PreviewSource
  signal: AbortSignal
}

/** Decides for each request whether it is taken from the lock file or captured. */
export interface Resolver {
  resolve(key: string, request: CardRequest): Promise<FrozenPreview | undefined>
  /** The entries of all requests so far. */
  used: Lock
  serviceFailure(): Failure | undefined
}

interface Failure {
  code: string
  message: string
}

/** How a request was resolved. */
interface Resolution {
  outcome: PreviewEvent['outcome']
  entry: LockEntry | undefined
  failure?: Failure | undefined
}

/** Several times as long as a service takes for a page and its images. */
const PREVIEW_TIMEOUT_MS = 120_000
const NOT_IN_LOCK = { code: 'NOT-IN-LOCK', message: 'It is not in the lock file, and requests are disabled.' }
const NO_IMAGES = {
  code: 'NO-IMAGES',
  message: 'Its images are not in the cache folder, and requests are disabled.',
}

export function createResolver(options: ResolverOptions): Resolver {
  const { lock, cache, source, signal, offline, frozen, archive = false, clock = Date.now, maxAge = Infinity } = options
  const refreshed = new Set(options.refresh?.map(normalUrl))
  const imageTypes = options.imageTypes ?? ['webp']
  const used: Lock = new Map()
  let serviceFailure: Failure | undefined

  const isExpired = ({ preview }: LockEntry) => clock() - Date.parse(preview?.date ?? '') > maxAge
  const isUpToDate = ({ entry, missing }: KnownPreview, { query }: CardRequest) =>
    entry?.preview && missing.size === 0 && !entry.failure && !isExpired(entry) && !refreshed.has(normalUrl(query.url))

  async function captureOrKeep(key: string, request: CardRequest, { entry }: KnownPreview): Promise<Resolution> {
    if (serviceFailure) return { outcome: 'failed', entry, failure: serviceFailure }
    try {
      return { outcome: entry?.preview ? 'refreshed' : 'new', entry: await capture(key, request, entry) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof FreezeError) throw error
      return keepAfterFailure(request, entry, error)
    }
  }

  async function capture(key: string, request: CardRequest, known: LockEntry | undefined): Promise<LockEntry> {
    const force = known?.preview !== undefined
    const preview = await withTimeout(
      (either) => captureWithRetries(request, { source, cache, imageTypes, signal: either }, { force }),
      { signal, timeoutMs: PREVIEW_TIMEOUT_MS, timeoutError },
    )
    const captured = { url: request.query.url, preview }
    await cache.writePreview(key, captured)
    return captured
  }

  /** A failure of the service says nothing about the page, so the entry of the page does not record it. */
  function keepAfterFailure(request: CardRequest, known: LockEntry | undefined, error: unknown): Resolution {
    const failure = describeFailure(error)
    if (affectsAllRequests(error)) serviceFailure ??= failure
    const isFromService = !(error instanceof PageFailure) && isServiceFailure(error)
    const entry = isFromService ? known : failedEntry(request, known, { ...failure, now: clock(), archive })
    return { outcome: 'failed', entry, failure }
  }

  return {
    used,
    serviceFailure: () => serviceFailure,
    async resolve(key, request) {
      signal.throwIfAborted()
      const known = await findKnownPreview(key, { lock, cache, lockOnly: Boolean(frozen), isExpired })
      const isKnownUsed = offline || frozen || isUpToDate(known, request)
      const resolution = isKnownUsed ? resolveFromKnown(known) : await captureOrKeep(key, request, known)
      options.onPreview?.(previewEvent(request, resolution))
      const { entry, outcome } = resolution
      if (!entry) return undefined
      used.set(key, entry)
      const isCaptured = outcome === 'new' || outcome === 'refreshed'
      return toFrozenPreview(entry, isCaptured ? new Set() : known.missing)
    },
  }
}

/** Uses what the lock file and the cache have, even if it is out of date or incomplete; sends no request. */
function resolveFromKnown({ entry, missing }: KnownPreview): Resolution {
  if (!entry) return { outcome: 'failed', entry, failure: NOT_IN_LOCK }
  const failure = entry.failure ?? (missing.size > 0 ? NO_IMAGES : undefined)
  return { outcome: failure ? 'failed' : 'cached', entry, failure }
}

const previewEvent = ({ query }: CardRequest, { outcome, entry, failure }: Resolution): PreviewEvent => ({
  url: query.url,
  outcome,
  hasPreview: Boolean(entry?.preview),
  ...(failure && { failure }),
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

const normalUrl = (url: string) => (URL.canParse(url) ? new URL(url).href : url)
