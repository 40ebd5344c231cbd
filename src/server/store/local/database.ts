import type { ImageName } from '../stored-image.js'
import type { Subject } from '../cache-entry.js'
import { openEnvironment, type EnvironmentOptions } from './open-environment.js'

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
