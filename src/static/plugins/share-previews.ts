import { resolve } from 'node:path'
import { escapeUnprintable } from '../../query/help/index.js'
import {
  DEFAULT_LOCK,
  openPreviews,
  type PreviewEvent,
  type OpenPreviewsOptions,
  type Previews,
} from '../freeze/index.js'

/** Previews for as long as a build needs them. */
export interface SharedPreviews {
  /** Opens the lock file and, if necessary, the browser; writes the lock file when the last concurrent call has finished. */
  use<Result>(work: (previews: Previews) => Promise<Result>): Promise<Result>
  /** Why links are dead, by their URL. */
  failures: ReadonlyMap<string, string>
}

/** Build tools rarely announce their end, so the browser is closed after this time without work. */
const IDLE_MS = 1_000

/** By lock file: a build tool creates a plugin for each of its compilers, and all of them write the same file. */
const shared = new Map<string, SharedPreviews>()

/** The previews of a lock file; all callers share the options of the first one. */
export function sharePreviews(options: OpenPreviewsOptions): SharedPreviews {
  const path = resolve(options.lock ?? DEFAULT_LOCK)
  const previews = shared.get(path) ?? createSharedPreviews({ ...options, lock: path })
  shared.set(path, previews)
  return previews
}

function createSharedPreviews(options: OpenPreviewsOptions): SharedPreviews {
  const failures = new Map<string, string>()
  const onPreview = (event: PreviewEvent) => {
    if (event.failure && !failures.has(event.url))
      console.warn(escapeUnprintable(`page-preview: ${event.url}: ${event.failure.message}`))
    if (event.failure) failures.set(event.url, event.failure.message)
    options.onPreview?.(event)
  }
  let opening: Promise<Previews> | undefined
  let ending: Promise<void> = Promise.resolve()
  let users = 0
  let timer: NodeJS.Timeout | undefined

  function end() {
    const previews = opening
    opening = undefined
    // The next session reads the lock file only after this one has written it.
    ending = close(previews)
  }

  return {
    failures,
    async use(work) {
      users++
      clearTimeout(timer)
      try {
        opening ??= ending.then(() => openPreviews({ ...options, onPreview }))
        const previews = await opening
        const result = await work(previews)
        if (users === 1) await previews.save({ isComplete: false })
        return result
      } finally {
        users--
        if (users === 0) timer = setTimeout(end, IDLE_MS)
      }
    },
  }
}

async function close(opening: Promise<Previews> | undefined): Promise<void> {
  // The error surfaced at the callers of `use`.
  const previews = await opening?.catch(() => undefined)
  await previews?.save({ isComplete: false }).catch(() => undefined)
  await previews?.close()
}
