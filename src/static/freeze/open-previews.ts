import pLimit from 'p-limit'
import { setMaxListeners } from 'node:events'
import { openPreviewSource } from '../preview-source/index.js'
import { openPreviewCache } from './cache/open-preview-cache.js'
import { FreezeError } from './freeze-error.js'
import type { OpenPreviewsOptions } from './freeze-options.js'
import { addToLock } from './lock/add-to-lock.js'
import { lockKeyOf } from './lock/lock-key.js'
import { readLock } from './lock/read-lock.js'
import { writeLock } from './lock/write-lock.js'
import type { FrozenPreview, CardRequest } from './markup/index.js'
import { imageNames } from './preview-images.js'
import { createResolver } from './create-resolver.js'

/** Previews from the lock file and the cache, else captured; each request once, however often it is resolved. */
export interface Previews {
  /**
   * @returns  `undefined` where nothing is known about the page.
   * @throws   {FreezeError} when the cache cannot be written; the reason of the signal when that aborts.
   */
  resolve(request: CardRequest): Promise<FrozenPreview | undefined>
  /** Names of the image files that resolved previews need. */
  imageNames(): readonly string[]
  /** @returns  `undefined` where the image is missing in the cache. */
  readImage(name: string): Promise<Uint8Array | undefined>
  /** Why the service could not be used; `undefined` when it could. */
  serviceFailure(): { code: string; message: string } | undefined
  /**
   * Writes the lock file.
   *
   * @param isComplete  Whether all previews were resolved, so that others are removed from it.
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
const DEFAULT_CONCURRENCY = 2
/** While the images of one preview are converted, the browser captures the next. */
const REQUESTS_PER_CAPTURE = 2

/** @throws  {FreezeError} when the lock file cannot be read. */
export async function openPreviews(options: OpenPreviewsOptions = {}): Promise<Previews> {
  const { lock: lockPath = DEFAULT_LOCK, concurrency = DEFAULT_CONCURRENCY } = options
  const lock = await readLock(lockPath)
  const cache = openPreviewCache(options.cache ?? DEFAULT_CACHE)
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
  const resolveOnce = async (key: string, request: CardRequest) => {
    const preview = await limit(() => resolver.resolve(key, request))
    for (const name of imageNames(preview)) images.add(name)
    return preview
  }
  return {
    resolve(request) {
      const key = lockKeyOf(request)
      const preview = resolved.get(key) ?? resolveOnce(key, request)
      resolved.set(key, preview)
      return preview
    },
    imageNames: () => [...images].toSorted(),
    readImage: (name) => cache.readImage(name),
    serviceFailure: () => resolver.serviceFailure(),
    async save({ isComplete }) {
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
