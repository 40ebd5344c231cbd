import type { ImageName } from '../image-name.js'
import { hostOfSubject, subjectOfImage, type Subject } from '../subject.js'

/** What is purged; all instances on the same store read it from a log. */
export type Purge = { page: Subject } | { host: string } | { all: true } | { images: ImageName[] }

export interface LoggedPurge {
  /** Counts up from 1. */
  sequence: number
  purge: Purge
}

export interface PurgeLog {
  /** Sequence number of the last purge; 0 when there is none. */
  last: number
  /** Oldest first. */
  purges: LoggedPurge[]
}

/** A cache entry, or an image that no entry names any more, as far as purges concern it. */
export interface PurgeableItem {
  subjects?: Subject[] | undefined
  lastPurge?: number | undefined
}

/** Ids of cache entries, and images. */
export interface FoundItems {
  ids: string[]
  images: ImageName[]
}

export interface PurgeScope {
  /** Whether remote stores are meant too, and not this machine alone. */
  isShared: boolean
}

/** What a store does for its purges; they are put together by `withPurges`. */
export interface PurgeSteps {
  addPurge(purge: Purge): Promise<void>
  /** At most 1,000 purges after a sequence number. */
  readPurges(after: number): Promise<PurgeLog>
  /** Looks at every entry and image, in the background of requests. */
  findItems(matches: (item: PurgeableItem) => boolean, scope: PurgeScope): Promise<FoundItems>
  deleteEntries(ids: readonly string[], scope: PurgeScope): Promise<void>
  /** Deletes images and the entries that name them. */
  deleteImages(names: readonly ImageName[], scope: PurgeScope): Promise<void>
}

/** Purges that are recorded: more than happen while a cache entry lives. */
export const MAX_LOGGED_PURGES = 10_000
/** Purges that are read at once. */
export const PURGES_PER_READ = 1_000

/** A host covers its subdomains. */
export function matchPurge(purge: Purge): (item: PurgeableItem) => boolean {
  if ('all' in purge) return () => true
  if ('page' in purge) return ({ subjects }) => subjects?.includes(purge.page) ?? false
  if ('host' in purge) {
    const isOfHost = (subject: Subject) => `.${hostOfSubject(subject)}`.endsWith(`.${purge.host}`)
    return ({ subjects }) => subjects?.some(isOfHost) ?? false
  }
  const images = new Set(purge.images.map(subjectOfImage))
  return ({ subjects }) => subjects?.some((subject) => images.has(subject)) ?? false
}
