import type { ApiKeyStore } from './api-keys.js'
import type { CacheEntry, PurgeableItem, Subject } from './cache-entry.js'
import type { Dependencies } from './dependencies.js'
import type { ImageName, StoredImage } from './stored-image.js'

/** What a purge works on. */
export interface PurgeScope {
  /** Whether remote stores are meant too, and not this machine alone. */
  isShared: boolean
}

/**
 * The cache entries. Entries and images are bounded in size; the least recently used are evicted first, beginning with those
 * of owners above their share.
 */
export interface EntryStore {
  /**
   * Counts as an access for LRU eviction.
   *
   * @typeParam Body  What the caller wrote under this key; it is not checked.
   */
  readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined>
  /**
   * Replaces the entry of the key, and stores in the same transaction which images it names. The images of the replaced entry are
   * stored until that entry would have expired, because a client may still hold its response.
   *
   * @throws {MissingImageError}
   * @throws {RangeError} when the entry alone exceeds the size of the store.
   */
  writeEntry<Body>(key: string, entry: CacheEntry<Body>): Promise<void>
  /**
   * Lets an entry and its images expire later, unless the entry was replaced since it was read.
   *
   * @param life  `createdAt` and `images` of the entry that was read, and its new `expiresAt`.
   */
  extendEntry(key: string, life: Pick<CacheEntry, 'createdAt' | 'expiresAt' | 'images'>): Promise<void>
  /**
   * Finds what a purge is about, in the background of requests.
   *
   * @param matches  Which entries and images these are. A store without an index looks at all of them.
   * @returns  The ids of the entries that match, their images, and the images whose last entry matched.
   */
  findItems(
    purge: Purge,
    matches: (item: PurgeableItem) => boolean,
    scope: PurgeScope,
  ): Promise<{ ids: string[]; images: ImageName[] }>
  /** Those of the images that an entry on this machine names for which the condition is true, and the variants of such images. */
  findNamedImages(names: readonly ImageName[], condition: (entry: CacheEntry) => boolean): Promise<ImageName[]>
  /** @param ids  See `digest`. */
  deleteEntries(ids: readonly string[], scope: PurgeScope): Promise<void>
}

/** The images that entries name. */
export interface ImageStore {
  /**
   * Stores the same bytes once. An image that no entry names is removed after ten minutes.
   *
   * @param type   File type without dot: 1–8 lower-case letters and digits.
   * @param owner  The owner in the entry that will name the image; the first owner of the same bytes remains their owner.
   * @param lifetimeMs  How long that entry will probably live. Default: a day.
   * @throws {RangeError} when the image alone exceeds the size of the store.
   */
  writeImage(bytes: Uint8Array, type: string, owner?: string, lifetimeMs?: number): Promise<ImageName>
  /**
   * Counts as an access for LRU eviction. When the image turns out to be lost, the entries that name it are deleted.
   *
   * @throws {PageError} `EBUSY` also while another instance has the image alone, and uploads it later.
   */
  readImage(name: ImageName): Promise<Uint8Array | undefined>
  /** Opens an image like `readImage`, but for files that are too large for the memory. */
  openImage(name: ImageName): Promise<StoredImage | undefined>
  /** Deletes images and the entries that name them. */
  deleteImages(names: readonly ImageName[], scope: PurgeScope): Promise<void>
}

/** What is purged; all instances on the same store read it from a log. */
export type Purge = { page: Subject } | { host: string } | { all: true } | { images: ImageName[] }

export interface LoggedPurge {
  /** Greater than those of earlier purges. */
  sequence: number
  purge: Purge
}

/** The purges of all instances on the same store. */
export interface PurgeLog {
  addPurge(purge: Purge): Promise<void>
  /**
   * Reads at most 1,000 purges after a sequence number, oldest first.
   *
   * @returns  Also the sequence number of the last purge of all; 0 when there is none.
   */
  readPurges(after: number): Promise<{ last: number; purges: LoggedPurge[] }>
  /**
   * Resolves when a purge after a sequence number was logged, and after a few seconds at the latest, because the log may have been
   * lost with the cache.
   *
   * @throws  the reason of the signal.
   */
  waitForPurge(after: number, signal: AbortSignal): Promise<void>
}

/** What clients have requested on each day. */
export interface RequestCounters {
  /**
   * Adds to the request counter of a client and returns the sum. Counters of earlier days are deleted.
   *
   * @param day    `YYYY-MM-DD`, UTC.
   * @param count  -1 refunds a request. Default: 1.
   */
  countRequest(client: string, day: string, count?: number): Promise<number>
  /** @param day  `YYYY-MM-DD`, UTC. */
  readCount(client: string, day: string): Promise<number>
}

/** Locks between the instances that share a store. An instance that shares none always acquires them. */
export interface Locks {
  /**
   * Runs `work` while no other instance on the same store runs work for the same key. Work that had to wait should read
   * the cache first, because the previous holder of the lock may have written the entry.
   *
   * @throws the error of `work`, or the reason of the signal when it aborts before the lock is acquired.
   */
  withLock<Result>(key: string, work: () => Promise<Result>, options: { signal: AbortSignal }): Promise<Result>
  /**
   * Claims a key for a time, so that only one of several instances on the same store starts something.
   *
   * @returns  Whether no other instance holds it. While a remote store is unreachable, and on a local one: always.
   */
  claim(key: string, ttlMs: number): Promise<boolean>
  /** Releases a claim before its time is up. */
  unclaim(key: string): Promise<void>
}

/** Whether the disk of this machine and the remote stores work. */
export interface StoreHealth {
  /** Whether the part of the store on this machine can be read right now. */
  isReady(): Promise<boolean>
  /** Whether the disk of this machine can be written; while it cannot, new results are in memory only. */
  isWritable(): Promise<boolean>
  /** Bytes that cache entries and images take on the disk of this machine. */
  usedBytes(): Promise<number>
  /** The state of the remote stores as the last request to each of them found it. */
  dependencies(): Dependencies
  /** Sends one request to each remote store; never rejects. */
  checkDependencies(): Promise<void>
  /** Images that are on this machine alone, because the bucket failed, and are uploaded later. */
  pendingUploads(): ReadonlySet<ImageName>
}

/** The cached results: they are of use only if a store has an entry and all its images. */
export interface ResultStore {
  entries: EntryStore
  images: ImageStore
}

/** The parts that a store has on this machine; remote stores take the place of some of them. */
export interface LocalStore extends ResultStore {
  counters: RequestCounters
  apiKeys: ApiKeyStore
  purgeLog: PurgeLog
  health: Pick<StoreHealth, 'isReady' | 'isWritable' | 'usedBytes'>
  /** Waits for running calls, flushes and releases the storage. Every later call rejects. */
  close(): Promise<void>
}
