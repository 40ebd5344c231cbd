import { isImageName, MissingImageError, type ImageName } from '../stored-image.js'
import type { PurgeableItem } from '../purges.js'
import type { Database, ImageRecord } from './database.js'
import type { ImageFiles } from './image-files.js'
import type { LruIndex, PendingAccesses } from './lru-index.js'

/** Disk space of the rows that belong to one entry or image, measured. */
export const ROWS_BYTES = 1_024
/** Subjects of the entries that named an image: a blank one may be that of many pages. */
const MAX_SUBJECTS = 20
/** How long an image waits for the entry that will name it. */
const UNREFERENCED_TTL_MS = 600_000

/** Whether an image stays although the last entry that named it is gone. */
export type RetentionRule = (image: Pick<ImageRecord, 'retainUntil' | 'usedAt'>) => boolean

/**
 * The stored images and which entries name them. An image is in the LRU index only while no entry names it; otherwise it
 * lives and is evicted with its entries. Every method belongs inside a transaction.
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

export function createImageTable({
  database,
  files,
  lruIndex,
  pendingAccesses,
  clock,
}: {
  database: Pick<Database, 'images' | 'references'>
  files: Pick<ImageFiles, 'remove'>
  lruIndex: LruIndex
  pendingAccesses: PendingAccesses
  clock: () => number
}): ImageTable {
  const { images, references } = database
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
