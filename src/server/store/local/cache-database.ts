import { setImmediate } from 'node:timers/promises'
import { decodeEntry, encodeEntry, type CacheEntry, type PurgeableItem, type Subject } from '../cache-entry.js'
import { isImageName, MissingImageError, type ImageName } from '../stored-image.js'
import type { ImageFiles } from './image-files.js'
import { openEnvironment, ROWS_PER_TRANSACTION, type EnvironmentOptions } from './open-environment.js'

/** Disk space of the rows that belong to one entry or image, measured. */
const ROWS_BYTES = 1_024
/** Subjects of the entries that named an image: a blank one may be the image of many pages. */
const MAX_SUBJECTS = 20
/** How long an image waits for the entry that will name it. */
const UNREFERENCED_TTL_MS = 600_000
/** Of the store, while others need room. */
const SHARE_OF_OWNER = 0.25
const MAX_PENDING_ACCESSES = 10_000

const BY_USE = 0
const BY_EXPIRY = 1
/** Rows of owners with more than their share. */
const LARGE_OWNERS = 2
/** The items of one owner, by use. */
const byUseOf = (owner: string) => `owner ${owner}`
const totalOf = (owner: string) => `owner ${owner}`

/** What the database knows about an image file. */
export interface ImageRecord {
  size: number
  /** Milliseconds since 1970, as all times here. Until then the image stays, whether an entry names it or not. */
  retainUntil: number
  usedAt: number
  /** Subjects of the last entry that named it, which is gone. */
  subjects?: Subject[] | undefined
  lastPurge?: number | undefined
  owner?: string | undefined
}

/** The sort keys of an item in the LRU index. */
export interface LruPosition {
  usedAt: number
  expiresAt: number
  owner?: string | undefined
}

/** The tables of the cache. */
export type Database = ReturnType<typeof openDatabase>

export function openDatabase(options: EnvironmentOptions) {
  const { root, ...environment } = openEnvironment(options)
  return {
    ...environment,
    /** Encoded by `cache-entry.ts`. */
    entries: root.openDB<Buffer, string>({ name: 'entries', encoding: 'binary' }),
    images: root.openDB<ImageRecord, ImageName>({ name: 'images' }),
    /** A row for each pair of an image and the id of an entry that names it. */
    references: root.openDB<true, [ImageName, entryId: string]>({ name: 'references' }),
    positions: root.openDB<LruPosition, string>({ name: 'positions' }),
    order: root.openDB<true, [index: number | string, at: number, item: string]>({ name: 'order' }),
    /** JSON by sequence number. */
    purges: root.openDB<string, number>({ name: 'purges', encoding: 'string' }),
    /** Bytes of everything, and of each owner. */
    totals: root.openDB<number, string>({ name: 'totals' }),
  }
}

interface CacheSettings {
  database: Database
  files: Pick<ImageFiles, 'remove'>
  /** Limit for cache entries and images together. */
  maxBytes: number
  clock: () => number
}

/**
 * What reads and changes the tables. Every change belongs inside a transaction, so that entries, the images that they name and the
 * totals always agree; `eviction` makes its own transactions.
 *
 * @param onManyAccesses  Called when many accesses wait to be written.
 */
export function createCacheTables(settings: CacheSettings, onManyAccesses: () => void) {
  const pendingAccesses = createPendingAccesses({ limit: MAX_PENDING_ACCESSES, onFull: onManyAccesses })
  const lruIndex = createLruIndex(settings.database, { shareBytes: settings.maxBytes * SHARE_OF_OWNER })
  const imageTable = createImageTable(settings, lruIndex, pendingAccesses)
  const entryTable = createEntryTable(settings, lruIndex, imageTable)
  const eviction = createEviction(settings, lruIndex, pendingAccesses, imageTable, entryTable)
  return { pendingAccesses, lruIndex, imageTable, entryTable, eviction }
}

/** The cache entries, and with them the images that only they name. */
function createEntryTable({ database, maxBytes, clock }: CacheSettings, lruIndex: LruIndex, imageTable: ImageTable) {
  const { entries } = database
  const isUnexpired: RetentionRule = ({ retainUntil }) => retainUntil > clock()

  function put(id: string, entry: CacheEntry) {
    const bytes = encodeEntry(entry)
    if (sizeOf(bytes) > maxBytes)
      throw new RangeError(`A cache entry of ${sizeOf(bytes)} bytes is larger than the whole store (${maxBytes} bytes)`)
    const previous = read(id)
    entries.putSync(id, bytes)
    if (previous) lruIndex.addBytes(-previous.size, lruIndex.ownerOf(`entry:${id}`))
    lruIndex.addBytes(sizeOf(bytes), entry.owner)
    for (const name of entry.images) imageTable.addReference(name, id, entry.expiresAt)
    for (const name of previous?.images ?? []) {
      if (!entry.images.includes(name)) imageTable.removeReference(name, id, isUnexpired, previous)
    }
    lruIndex.set(`entry:${id}`, { usedAt: clock(), expiresAt: entry.expiresAt, owner: entry.owner })
  }

  function read(id: string): ({ size: number; images: ImageName[] } & PurgeableItem) | undefined {
    const bytes = entries.get(id)
    if (!bytes) return undefined
    const { images = imageTable.imagesNamedBy(id), subjects, lastPurge } = decodeEntry(bytes) ?? {}
    return { size: sizeOf(bytes), images, subjects, lastPurge }
  }

  /** @param isRetained  Decides about images that no other entry names. Default: they stay until they expire. */
  function deleteEntry(id: string, isRetained = isUnexpired) {
    const entry = read(id)
    if (entry) {
      entries.removeSync(id)
      lruIndex.addBytes(-entry.size, lruIndex.ownerOf(`entry:${id}`))
    }
    for (const name of entry?.images ?? []) imageTable.removeReference(name, id, isRetained, entry)
    lruIndex.delete(`entry:${id}`)
  }

  /** Deletes an image whose file is lost, and the entries that name it. */
  function deleteLostImage(name: ImageName) {
    for (const id of imageTable.entryIdsOf(name)) deleteEntry(id)
    imageTable.delete(name)
  }

  return { put, delete: deleteEntry, deleteLostImage }
}

const sizeOf = (bytes: Buffer) => bytes.length + ROWS_BYTES

/** Whether an image stays although the last entry that named it is gone. */
type RetentionRule = (image: Pick<ImageRecord, 'retainUntil' | 'usedAt'>) => boolean

/**
 * The stored images and which entries name them. An image is in the LRU index only while no entry names it; otherwise it
 * lives and is evicted with its entries.
 */
export interface ImageTable {
  /** Records an image whose file exists, or that it was written again; its first owner stays. */
  add(name: ImageName, size: number, owner: string | undefined): void
  /** @throws {MissingImageError} */
  addReference(name: ImageName, entryId: string, retainUntil: number): void
  /** @param entry  The entry that named it: what it shows is stored with the image, which may outlive it. */
  removeReference(name: ImageName, entryId: string, isRetained: RetentionRule, entry?: PurgeableItem): void
  /** Ids of the entries that name the image. */
  entryIdsOf(name: ImageName): string[]
  /** The images of an entry that cannot be read; slow, because it looks at all references. */
  imagesNamedBy(entryId: string): ImageName[]
  markUsed(name: ImageName, usedAt: number): void
  /** Deletes the image with its file. */
  delete(name: ImageName): void
}

function createImageTable(
  { database: { images, references }, files, clock }: CacheSettings,
  lruIndex: LruIndex,
  pendingAccesses: PendingAccesses,
): ImageTable {
  const rangeOf = (name: ImageName) => ({ start: [name], end: [name, '\uffff'] })
  const isReferenced = (name: ImageName) => references.getKeysCount({ ...rangeOf(name), limit: 1 }) > 0

  function addSubjects(name: ImageName, { subjects = [], lastPurge }: PurgeableItem = {}) {
    const record = images.get(name)
    if (!record || !subjects.length) return
    const all = [...new Set([...subjects, ...(record.subjects ?? [])])].slice(0, MAX_SUBJECTS)
    images.putSync(name, {
      ...record,
      subjects: all,
      lastPurge: Math.min(lastPurge ?? 0, record.lastPurge ?? Infinity),
    })
  }

  const imageTable: ImageTable = {
    add(name, size, writer) {
      const record = images.get(name)
      const now = clock()
      const retainUntil = Math.max(record?.retainUntil ?? 0, now + UNREFERENCED_TTL_MS)
      const { subjects, lastPurge } = record ?? {}
      const owner = record ? record.owner : writer
      images.putSync(name, {
        size,
        retainUntil,
        usedAt: now,
        ...(subjects && { subjects, lastPurge }),
        ...(owner !== undefined && { owner }),
      })
      if (!record) lruIndex.addBytes(size + ROWS_BYTES, owner)
      if (!isReferenced(name)) lruIndex.set(`image:${name}`, { usedAt: now, expiresAt: retainUntil, owner })
    },
    addReference(name, entryId, retainUntil) {
      const record = images.get(name)
      if (!record) throw new MissingImageError(name)
      references.putSync([name, entryId], true)
      images.putSync(name, { ...record, retainUntil: Math.max(record.retainUntil, retainUntil) })
      lruIndex.delete(`image:${name}`)
    },
    removeReference(name, entryId, isRetained, entry) {
      references.removeSync([name, entryId])
      addSubjects(name, entry)
      if (!images.get(name) || isReferenced(name)) return
      imageTable.markUsed(name, pendingAccesses.take(`image:${name}`) ?? 0)
      const { retainUntil, usedAt, owner } = images.get(name)!
      if (!isRetained({ retainUntil, usedAt })) return imageTable.delete(name)
      const lastUse = Math.max(usedAt, lruIndex.usedAt(`entry:${entryId}`) ?? 0)
      lruIndex.set(`image:${name}`, { usedAt: lastUse, expiresAt: retainUntil, owner })
    },
    entryIdsOf: (name) => [...references.getKeys(rangeOf(name))].map(([, entryId]) => entryId),
    imagesNamedBy: (entryId) =>
      [...references.getKeys()].flatMap(([name, id]) => (id === entryId && isImageName(name) ? [name] : [])),
    markUsed(name, usedAt) {
      lruIndex.markUsed(`image:${name}`, usedAt)
      const record = images.get(name)
      if (record) images.putSync(name, { ...record, usedAt: Math.max(record.usedAt, usedAt) })
    },
    delete(name) {
      lruIndex.delete(`image:${name}`)
      const record = images.get(name)
      if (!record) return
      images.removeSync(name)
      lruIndex.addBytes(-record.size - ROWS_BYTES, record.owner)
      files.remove(name)
    },
  }
  return imageTable
}

/** What can be evicted on its own: a cache entry by its id, or an image that no entry names. */
type LruItem = `entry:${string}` | `image:${string}`

/** The order of eviction and the size, in all and of each owner. */
export interface LruIndex {
  /** Size of all entries and images. */
  totalBytes(): number
  /** Whether an owner has more than its share. */
  isLarge(owner: string): boolean
  /** The owner that has the most, of those with more than their share. */
  largestOwner(): string | undefined
  /** @param bytes  Negative when something was removed. */
  addBytes(bytes: number, owner: string | undefined): void
  /** Adds the item, or moves it. */
  set(item: LruItem, position: LruPosition): void
  delete(item: LruItem): void
  /** Ignores items that are not in the index, and times before the last use. */
  markUsed(item: LruItem, usedAt: number): void
  usedAt(item: LruItem): number | undefined
  ownerOf(item: LruItem): string | undefined
  leastRecentlyUsed(): LruItem | undefined
  /** `undefined` if the owner has no other item, because that may be the one which is being stored. */
  leastRecentlyUsedOf(owner: string): LruItem | undefined
  firstExpired(now: number): LruItem | undefined
}

/** @param shareBytes  The share of one owner. */
function createLruIndex({ order, positions, totals }: Database, { shareBytes }: { shareBytes: number }): LruIndex {
  const bytesOf = (owner: string) => totals.get(totalOf(owner)) ?? 0
  const lruIndex: LruIndex = {
    totalBytes: () => totals.get('bytes') ?? 0,
    isLarge: (owner) => bytesOf(owner) > shareBytes,
    largestOwner() {
      const owners = [...order.getKeys(rangeOf(LARGE_OWNERS))].map(([, , owner]) => owner)
      return owners
        .filter((owner) => lruIndex.isLarge(owner))
        .toSorted((one, other) => bytesOf(other) - bytesOf(one))[0]
    },
    addBytes(bytes, owner) {
      totals.putSync('bytes', lruIndex.totalBytes() + bytes)
      if (owner === undefined) return
      const ofOwner = bytesOf(owner) + bytes
      if (ofOwner > 0) totals.putSync(totalOf(owner), ofOwner)
      else totals.removeSync(totalOf(owner))
      if (ofOwner > shareBytes) order.putSync([LARGE_OWNERS, 0, owner], true)
      else order.removeSync([LARGE_OWNERS, 0, owner])
    },
    set(item, { usedAt, expiresAt, owner }) {
      lruIndex.delete(item)
      order.putSync([BY_USE, usedAt, item], true)
      order.putSync([BY_EXPIRY, expiresAt, item], true)
      if (owner !== undefined) order.putSync([byUseOf(owner), usedAt, item], true)
      positions.putSync(item, { usedAt, expiresAt, ...(owner !== undefined && { owner }) })
    },
    delete(item) {
      const position = positions.get(item)
      if (!position) return
      const { usedAt, expiresAt, owner } = position
      order.removeSync([BY_USE, usedAt, item])
      order.removeSync([BY_EXPIRY, expiresAt, item])
      if (owner !== undefined) order.removeSync([byUseOf(owner), usedAt, item])
      positions.removeSync(item)
    },
    markUsed(item, usedAt) {
      const position = positions.get(item)
      if (position && usedAt > position.usedAt) lruIndex.set(item, { ...position, usedAt })
    },
    usedAt: (item) => positions.get(item)?.usedAt,
    ownerOf: (item) => positions.get(item)?.owner,
    leastRecentlyUsed: () => firstOf(BY_USE)?.item,
    leastRecentlyUsedOf: (owner) =>
      order.getKeysCount({ ...rangeOf(byUseOf(owner)), limit: 2 }) > 1 ? firstOf(byUseOf(owner))?.item : undefined,
    firstExpired(now) {
      const first = firstOf(BY_EXPIRY)
      return first && first.at <= now ? first.item : undefined
    },
  }
  return lruIndex

  function firstOf(index: number | string) {
    for (const row of order.getKeys(rangeOf(index))) {
      const [, at, item] = row
      const position = positions.get(item)
      if (at === (index === BY_EXPIRY ? position?.expiresAt : position?.usedAt)) return { at, item: item as LruItem }
      // A row that belongs to no item would be evicted again and again.
      order.removeSync(row)
    }
    return undefined
  }
}

const rangeOf = (index: number | string) => ({ start: [index], end: [index, Infinity] })

type PendingAccesses = ReturnType<typeof createPendingAccesses>

/**
 * Buffers the last access of each item in memory, so that a read does not cost a write transaction. Flushed once a minute,
 * each item is written at most once a minute.
 *
 * @param onFull  Called when `limit` items are buffered; should flush them.
 */
export function createPendingAccesses({ limit, onFull }: { limit: number; onFull: () => void }) {
  const pending = new Map<LruItem, number>()
  return {
    add(item: LruItem, usedAt: number): void {
      pending.set(item, usedAt)
      if (pending.size === limit) onFull()
    },
    /** Removes one item from the buffer and returns its last access. */
    take(item: LruItem): number | undefined {
      const usedAt = pending.get(item)
      pending.delete(item)
      return usedAt
    },
    /** Removes at most `count` items from the buffer and returns their last accesses. */
    takeBatch(count: number): [LruItem, usedAt: number][] {
      const batch = [...pending].slice(0, count)
      for (const [item] of batch) pending.delete(item)
      return batch
    },
  }
}

/** Removes what has expired and keeps the store within its size, in small transactions between which requests are served. */
function createEviction(
  { database, maxBytes, clock }: CacheSettings,
  lruIndex: LruIndex,
  pendingAccesses: PendingAccesses,
  imageTable: ImageTable,
  entryTable: ReturnType<typeof createEntryTable>,
) {
  /**
   * Evicts until the store is within its size and nothing in it has expired.
   *
   * @param writer  The owner of what was written just now.
   */
  async function evict(writer?: string): Promise<void> {
    while (database.transaction(() => evictBatch(ROWS_PER_TRANSACTION, writer))) await setImmediate()
  }

  async function flushAccesses(): Promise<void> {
    for (;;) {
      const batch = pendingAccesses.takeBatch(ROWS_PER_TRANSACTION)
      if (batch.length === 0) return
      database.transaction(() => batch.forEach(([item, usedAt]) => markUsed(item, usedAt)))
      await setImmediate()
    }
  }

  /**
   * Evicts what has expired and, while the store is too large, the least recently used: of the writer if it has more than its
   * share, else of the owner that has the most beyond its share, else of all.
   *
   * @param writer  The owner of what was written just now.
   * @returns       Whether there may be more to evict.
   */
  function evictBatch(count: number, writer?: string): boolean {
    for (let evicted = 0; evicted < count; evicted++) if (!evictNext(writer)) return false
    return true
  }

  function evictNext(writer: string | undefined): boolean {
    const expired = lruIndex.firstExpired(clock())
    if (expired) {
      deleteExpired(expired)
      return true
    }
    if (lruIndex.totalBytes() <= maxBytes) return false
    const oldest = itemToEvict(writer)
    if (!oldest) return false
    if (!applyPendingAccess(oldest)) deleteLeastRecentlyUsed(oldest)
    return true
  }

  /** An owner with more than its share cannot evict what others have, however much another owner has. */
  function itemToEvict(writer: string | undefined): LruItem | undefined {
    const largest = writer !== undefined && lruIndex.isLarge(writer) ? writer : lruIndex.largestOwner()
    return (largest === undefined ? undefined : lruIndex.leastRecentlyUsedOf(largest)) ?? lruIndex.leastRecentlyUsed()
  }

  function deleteExpired(item: LruItem) {
    if (isImage(item)) imageTable.delete(imageNameOf(item))
    else entryTable.delete(entryIdOf(item))
  }

  /** Images that were used after their entry stay, because a page may show them without requesting the entry. */
  function deleteLeastRecentlyUsed(item: LruItem) {
    if (isImage(item)) return imageTable.delete(imageNameOf(item))
    const entryUsedAt = lruIndex.usedAt(item) ?? 0
    entryTable.delete(entryIdOf(item), ({ retainUntil, usedAt }) => retainUntil > clock() && usedAt > entryUsedAt)
  }

  /** Moves an item that was used after its position in the index was written; returns whether it did. */
  function applyPendingAccess(item: LruItem): boolean {
    const usedAt = pendingAccesses.take(item)
    if (usedAt === undefined || usedAt <= (lruIndex.usedAt(item) ?? usedAt)) return false
    markUsed(item, usedAt)
    return true
  }

  function markUsed(item: LruItem, usedAt: number) {
    if (isImage(item)) imageTable.markUsed(imageNameOf(item), usedAt)
    else lruIndex.markUsed(item, usedAt)
  }

  return { evict, flushAccesses }
}

const isImage = (item: LruItem): item is `image:${ImageName}` => item.startsWith('image:')
const imageNameOf = (item: `image:${ImageName}`) => item.slice('image:'.length) as ImageName
const entryIdOf = (item: LruItem) => item.slice('entry:'.length)
