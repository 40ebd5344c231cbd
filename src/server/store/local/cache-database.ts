import type SQLite from 'better-sqlite3'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  decodeEntry,
  encodeEntry,
  hostOfSubject,
  subjectOfImage,
  type CacheEntry,
  type PurgeableItem,
  type Subject,
} from '../cache-entry.js'
import { parseJson } from '../parse-json.js'
import { MAX_LOGGED_PURGES, parsePurge, PURGES_PER_READ } from '../purges.js'
import type { LoggedPurge, Purge } from '../store-parts.js'
import { isImageName, MissingImageError, type ImageName } from '../stored-image.js'
import { openDatabaseFile, type DatabaseFile, type Replacement } from './database-file.js'
import type { ImageFiles } from './image-files.js'

/** Disk space of the rows that belong to one entry or image, measured. */
const ROWS_BYTES = 1_024
/** Subjects of the entries that named an image: a blank one may be the image of many pages. */
const MAX_SUBJECTS = 20
/** How long an image waits for the entry that will name it. */
const UNREFERENCED_TTL_MS = 600_000
/** Of the store, while others need room. */
const SHARE_OF_OWNER = 0.25
/** What a scan reads before requests are served again. */
const ROWS_PER_STEP = 200
const BYTES_PER_STEP = 1_000_000

/** Adds to or subtracts from the totals what a row of a table counts. */
const addTotals = (sign: '+' | '-', row: 'OLD' | 'NEW', bytes: string): string => `
    UPDATE total SET bytes = bytes ${sign} (${bytes});
    INSERT INTO owner_total SELECT ${row}.owner, ${sign} (${bytes}) WHERE ${row}.owner IS NOT NULL
      ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
    DELETE FROM owner_total WHERE owner = ${row}.owner AND bytes <= 0;`

const totalTriggers = (table: string, column: string, bytesOf: (row: 'OLD' | 'NEW') => string): string => `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${addTotals('+', 'NEW', bytesOf('NEW'))} END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN ${addTotals('-', 'OLD', bytesOf('OLD'))} END;
  CREATE TRIGGER ${table}_replaced AFTER UPDATE OF ${column}, owner ON ${table} BEGIN
    ${addTotals('-', 'OLD', bytesOf('OLD'))} ${addTotals('+', 'NEW', bytesOf('NEW'))} END;`

/**
 * Times are milliseconds since 1970. `packed` is encoded by `cache-entry.ts`. An image that entries name lives and is evicted with
 * them; `named_by` counts these entries. `subjects` are those of the last entry that named the image, which is gone. The table
 * `subject` has the entries and these images by what they show; see `placeOf`.
 */
const SCHEMA = `
  CREATE TABLE entry (
    id TEXT PRIMARY KEY, packed BLOB NOT NULL, owner TEXT, expires_at INTEGER NOT NULL, used_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX entry_by_use ON entry (used_at);
  CREATE INDEX entry_by_expiry ON entry (expires_at);
  CREATE INDEX entry_by_owner ON entry (owner, used_at) WHERE owner IS NOT NULL;

  CREATE TABLE image (
    name TEXT PRIMARY KEY, size INTEGER NOT NULL, owner TEXT, retain_until INTEGER NOT NULL, used_at INTEGER NOT NULL,
    subjects TEXT, last_purge INTEGER, named_by INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX unnamed_image_by_use ON image (used_at) WHERE named_by = 0;
  CREATE INDEX unnamed_image_by_expiry ON image (retain_until) WHERE named_by = 0;
  CREATE INDEX unnamed_image_by_owner ON image (owner, used_at) WHERE named_by = 0 AND owner IS NOT NULL;

  CREATE TABLE reference (entry TEXT NOT NULL, image TEXT NOT NULL, PRIMARY KEY (entry, image)) STRICT, WITHOUT ROWID;
  CREATE INDEX reference_by_image ON reference (image);
  CREATE TRIGGER reference_added AFTER INSERT ON reference BEGIN
    UPDATE image SET named_by = named_by + 1 WHERE name = NEW.image; END;
  CREATE TRIGGER reference_removed AFTER DELETE ON reference BEGIN
    UPDATE image SET named_by = named_by - 1 WHERE name = OLD.image; END;

  CREATE TABLE subject (place TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (place, item)) STRICT, WITHOUT ROWID;
  CREATE INDEX subject_by_item ON subject (item);
  CREATE TRIGGER subject_of_entry_removed AFTER DELETE ON entry BEGIN DELETE FROM subject WHERE item = OLD.id; END;
  CREATE TRIGGER subject_of_image_removed AFTER DELETE ON image BEGIN DELETE FROM subject WHERE item = OLD.name; END;

  CREATE TABLE total (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO total VALUES (0);
  CREATE TABLE owner_total (owner TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX owner_by_total ON owner_total (bytes);
  ${totalTriggers('entry', 'packed', (row) => `length(${row}.packed) + ${ROWS_BYTES}`)}
  ${totalTriggers('image', 'size', (row) => `${row}.size + ${ROWS_BYTES}`)}

  CREATE TABLE purge (sequence INTEGER PRIMARY KEY AUTOINCREMENT, purge TEXT NOT NULL) STRICT;`

/** Raised with every change to the schema; a file with another one is set aside. */
const VERSION = 2
/** 256 MB, which are checked in less than half a second. */
const MAX_CHECKED_PAGES = 65_536

/** What can be evicted on its own: a cache entry by its id, or an image that no entry names. */
export type LruItem = { entry: string } | { image: ImageName }

/** Whether an image stays although the last entry that named it is gone. */
type RetentionRule = (image: { retainUntil: number; usedAt: number }) => boolean

/** An entry, as far as its rows have to be removed. */
interface StoredEntry extends PurgeableItem {
  images: ImageName[]
  usedAt: number
}

interface ImageRow {
  size: number
  owner: string | null
  retainUntil: number
  usedAt: number
  subjects: string | null
  lastPurge: number | null
  namedBy: number
}

export interface CacheSettings {
  files: Pick<ImageFiles, 'remove' | 'sizeOf'>
  /** Limit for cache entries and images together. */
  maxBytes: number
  clock: () => number
  accesses: PendingAccesses
}

export type CacheDatabase = DatabaseFile<CacheTables>

/** Opens the database of the cache: entries, the images that they name, and the log of purges. */
export const openCacheDatabase = (
  path: string,
  options: CacheSettings & { reserveBytes: number; onReplaced: (replacement: Replacement) => void },
): CacheDatabase =>
  openDatabaseFile(
    {
      path,
      schema: SCHEMA,
      version: VERSION,
      // What a power cut takes is captured again.
      pragmas: [],
      maxCheckedPages: MAX_CHECKED_PAGES,
      isNewerRefused: false,
      prepare: (connection) => prepareCache(connection, options),
      onReplaced: options.onReplaced,
    },
    options,
  )

export type CacheTables = ReturnType<typeof prepareCache>

/**
 * The statements of the cache. Those that change rows belong inside a transaction, so that entries, the images that they name and
 * the totals always agree.
 */
function prepareCache(connection: SQLite.Database, settings: CacheSettings) {
  return {
    ...prepareItems(connection, settings),
    ...prepareLru(connection, settings),
    ...prepareScans(connection),
    ...prepareSearch(connection),
    ...preparePurges(connection),
  }
}

/** The entries and images by their names. */
function prepareItems(connection: SQLite.Database, { files, maxBytes, clock, accesses }: CacheSettings) {
  const bytesOfEntry = connection.prepare<[id: string], Buffer>('SELECT packed FROM entry WHERE id = ?').pluck()
  const useOfEntry = connection.prepare<[id: string], number>('SELECT used_at FROM entry WHERE id = ?').pluck()
  const putRow = connection.prepare<[string, Buffer, owner: string | null, expiresAt: number, usedAt: number]>(
    `INSERT INTO entry (id, packed, owner, expires_at, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       packed = excluded.packed, owner = excluded.owner, expires_at = excluded.expires_at, used_at = excluded.used_at`,
  )
  const deleteRow = connection.prepare<[id: string]>('DELETE FROM entry WHERE id = ?')

  const imageRow = connection.prepare<[name: string], ImageRow>(
    `SELECT size, owner, retain_until retainUntil, used_at usedAt, subjects, last_purge lastPurge, named_by namedBy
       FROM image WHERE name = ?`,
  )
  const putImage = connection.prepare<[string, number, owner: string | null, retainUntil: number, usedAt: number]>(
    `INSERT INTO image (name, size, owner, retain_until, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
       size = excluded.size, retain_until = max(retain_until, excluded.retain_until), used_at = excluded.used_at`,
  )
  const retainImage = connection.prepare<[until: number, name: string]>(
    'UPDATE image SET retain_until = max(retain_until, ?) WHERE name = ?',
  )
  const setSubjects = connection.prepare<[subjects: string, lastPurge: number, name: string]>(
    'UPDATE image SET subjects = ?, last_purge = ? WHERE name = ?',
  )
  const useEntry = connection.prepare<[usedAt: number, id: string]>(
    'UPDATE entry SET used_at = max(used_at, ?) WHERE id = ?',
  )
  const useImage = connection.prepare<[usedAt: number, name: string]>(
    'UPDATE image SET used_at = max(used_at, ?) WHERE name = ?',
  )
  const deleteImageRow = connection.prepare<[name: string]>('DELETE FROM image WHERE name = ?')

  const imagesOf = connection.prepare<[entry: string], string>('SELECT image FROM reference WHERE entry = ?').pluck()
  const entriesOf = connection.prepare<[image: string], string>('SELECT entry FROM reference WHERE image = ?').pluck()
  const putReference = connection.prepare<[entry: string, image: string]>(
    'INSERT OR IGNORE INTO reference VALUES (?, ?)',
  )
  const deleteReference = connection.prepare<[entry: string, image: string]>(
    'DELETE FROM reference WHERE entry = ? AND image = ?',
  )

  const putSubject = connection.prepare<[place: string, item: string]>('INSERT OR IGNORE INTO subject VALUES (?, ?)')
  const deleteSubjects = connection.prepare<[item: string]>('DELETE FROM subject WHERE item = ?')

  const isUnexpired: RetentionRule = ({ retainUntil }) => retainUntil > clock()

  /** Replaces the entry, and what says which images it names. */
  function putEntry(id: string, entry: CacheEntry): void {
    const bytes = encodeEntry(entry)
    const size = bytes.length + ROWS_BYTES
    if (size > maxBytes)
      throw new RangeError(`A cache entry of ${size} bytes is larger than the whole store (${maxBytes} bytes)`)
    const previous = readStored(id)
    putRow.run(id, bytes, entry.owner ?? null, Math.ceil(entry.expiresAt), clock())
    if (previous) deleteSubjects.run(id)
    for (const subject of entry.subjects ?? []) putSubject.run(placeOf(subject), id)
    for (const name of entry.images) addReference(name, id, entry)
    for (const name of previous?.images ?? [])
      if (!entry.images.includes(name)) removeReference(name, id, isUnexpired, previous)
  }

  function readStored(id: string): StoredEntry | undefined {
    const bytes = bytesOfEntry.get(id)
    if (!bytes) return undefined
    const { subjects, lastPurge } = decodeEntry(bytes) ?? {}
    return { images: imagesOf.all(id).filter(isImageName), usedAt: useOfEntry.get(id) ?? 0, subjects, lastPurge }
  }

  /** @param isRetained  Decides about images that no other entry names. Default: they stay until they expire. */
  function deleteEntry(id: string, isRetained = isUnexpired): void {
    const entry = readStored(id)
    deleteRow.run(id)
    for (const name of entry?.images ?? []) removeReference(name, id, isRetained, entry)
  }

  /** Deletes an image whose file is lost, and the entries that name it. */
  function deleteLostImage(name: ImageName): void {
    for (const id of entriesOf.all(name)) deleteEntry(id)
    deleteImage(name)
  }

  /** Records an image whose file exists, or that it was written again; its first owner stays. */
  function addImage(name: ImageName, size: number, owner: string | undefined): void {
    putImage.run(name, size, owner ?? null, clock() + UNREFERENCED_TTL_MS, clock())
  }

  /** The row of an image may have been lost with a damaged database, but not its file. */
  function addReference(name: ImageName, id: string, { expiresAt, owner }: CacheEntry): void {
    if (!imageRow.get(name)) {
      const size = files.sizeOf(name)
      if (size === undefined) throw new MissingImageError(name)
      addImage(name, size, owner)
    }
    putReference.run(id, name)
    retainImage.run(Math.ceil(expiresAt), name)
  }

  /** @param entry  The entry that named it: what it shows is stored with the image, which may outlive it. */
  function removeReference(name: ImageName, id: string, isRetained: RetentionRule, entry?: StoredEntry): void {
    deleteReference.run(id, name)
    useImage.run(accesses.take({ image: name }) ?? 0, name)
    const image = imageRow.get(name)
    if (!image) return
    addSubjects(name, image, entry)
    if (image.namedBy > 0) return
    if (isRetained(image)) useImage.run(entry?.usedAt ?? 0, name)
    else deleteImage(name)
  }

  function addSubjects(name: ImageName, image: ImageRow, { subjects, lastPurge }: PurgeableItem = {}): void {
    if (!subjects?.length) return
    const all = [...new Set([...subjects, ...parseSubjects(image.subjects)])].slice(0, MAX_SUBJECTS)
    setSubjects.run(JSON.stringify(all), Math.min(lastPurge ?? 0, image.lastPurge ?? Infinity), name)
    for (const subject of all) putSubject.run(placeOf(subject), name)
  }

  /** Deletes the image with its file. */
  function deleteImage(name: ImageName): void {
    if (deleteImageRow.run(name).changes > 0) files.remove(name)
  }

  function findEntry(id: string): CacheEntry | undefined {
    const bytes = bytesOfEntry.get(id)
    return bytes && decodeEntry(bytes)
  }

  return {
    findEntry,
    entriesNaming: (name: ImageName): CacheEntry[] => entriesOf.all(name).flatMap((id) => findEntry(id) ?? []),
    putEntry,
    deleteEntry,
    /** Ignores items that are gone, and times before the last use. */
    markUsed(item: LruItem, usedAt: number): void {
      if ('entry' in item) useEntry.run(usedAt, item.entry)
      else useImage.run(usedAt, item.image)
    },
    addImage,
    findImage: (name: ImageName): PurgeableItem => purgeableImage(imageRow.get(name)),
    sizeOfImage: (name: ImageName): number | undefined => imageRow.get(name)?.size,
    deleteImage,
    deleteLostImage,
  }
}

function parseSubjects(json: string | null): Subject[] {
  const subjects = parseJson(json ?? '')
  return Array.isArray(subjects) ? subjects.filter((each): each is Subject => typeof each === 'string') : []
}

/** A subject with the labels of its host reversed, so that a host and its subdomains are next to each other. */
function placeOf(subject: Subject): string {
  const host = hostOfSubject(subject)
  return reversed(host) + subject.slice(host.length)
}

const reversed = (host: string) => host.split('.').toReversed().join('.')

/** What a purge is about, without a look at all rows. */
function prepareSearch(connection: SQLite.Database) {
  const at = connection.prepare<[place: string], string>('SELECT item FROM subject WHERE place = ?').pluck()
  const between = connection
    .prepare<[first: string, end: string], string>('SELECT item FROM subject WHERE place >= ? AND place < ?')
    .pluck()
  return {
    /** @returns  Ids of entries and names of images. */
    itemsAbout(purge: Exclude<Purge, { all: true }>): string[] {
      if ('page' in purge) return at.all(placeOf(purge.page))
      if ('images' in purge) return purge.images.flatMap((name) => at.all(placeOf(subjectOfImage(name))))
      const host = reversed(purge.host)
      // Each end is the character after the last one of the start.
      return [...between.all(`${host} `, `${host}!`), ...between.all(`${host}.`, `${host}/`)]
    },
  }
}

const purgeableImage = (row: Pick<ImageRow, 'subjects' | 'lastPurge'> | undefined): PurgeableItem =>
  row?.subjects ? { subjects: parseSubjects(row.subjects), lastPurge: row.lastPurge ?? undefined } : {}

/** The order in which entries, and images that no entry names, expire and are evicted; the size, in all and of each owner. */
function prepareLru(connection: SQLite.Database, { maxBytes }: CacheSettings) {
  const shareBytes = maxBytes * SHARE_OF_OWNER
  const first = (columns: string, conditions: { entry: string; image: string }, limit: number) =>
    `SELECT * FROM (SELECT id, NULL name, ${columns} FROM entry WHERE ${conditions.entry} ORDER BY at LIMIT ${limit})
     UNION ALL
     SELECT * FROM (SELECT NULL id, name, ${columns} FROM image WHERE named_by = 0 AND ${conditions.image} ORDER BY at LIMIT ${limit})
     ORDER BY at LIMIT ${limit}`
  type Row = { id: string | null; name: string | null; at: number }
  const byUse = connection.prepare<[], Row>(first('used_at at', { entry: 'TRUE', image: 'TRUE' }, 1))
  const byUseOf = connection.prepare<[string, string], Row>(
    first('used_at at', { entry: 'owner = ?', image: 'owner = ?' }, 2),
  )
  const expiredEntry = connection
    .prepare<[now: number], string>('SELECT id FROM entry WHERE expires_at <= ? ORDER BY expires_at LIMIT 1')
    .pluck()
  const expiredImage = connection
    .prepare<[now: number], string>(
      'SELECT name FROM image WHERE named_by = 0 AND retain_until <= ? ORDER BY retain_until LIMIT 1',
    )
    .pluck()
  const total = connection.prepare<[], number>('SELECT bytes FROM total').pluck()
  const totalOf = connection.prepare<[owner: string], number>('SELECT bytes FROM owner_total WHERE owner = ?').pluck()
  const largest = connection
    .prepare<[bytes: number], string>('SELECT owner FROM owner_total WHERE bytes > ? ORDER BY bytes DESC LIMIT 1')
    .pluck()

  const itemOf = (row: Row | undefined): (LruItem & { usedAt: number }) | undefined => {
    if (row?.id !== null && row?.id !== undefined) return { entry: row.id, usedAt: row.at }
    return row?.name ? { image: row.name as ImageName, usedAt: row.at } : undefined
  }

  return {
    /** Size of all entries and images. */
    totalBytes: (): number => total.get() ?? 0,
    isTooLarge: (): boolean => (total.get() ?? 0) > maxBytes,
    /** Whether an owner has more than its share. */
    isLarge: (owner: string): boolean => (totalOf.get(owner) ?? 0) > shareBytes,
    /** The owner that has the most, of those with more than their share. */
    largestOwner: (): string | undefined => largest.get(shareBytes),
    firstExpired(now: number): LruItem | undefined {
      const entry = expiredEntry.get(now)
      if (entry !== undefined) return { entry }
      const image = expiredImage.get(now)
      return image === undefined ? undefined : { image: image as ImageName }
    },
    leastRecentlyUsed: () => itemOf(byUse.get()),
    /** `undefined` if the owner has no other item, because that may be the one which is being stored. */
    leastRecentlyUsedOf(owner: string) {
      const [oldest, other] = byUseOf.all(owner, owner)
      return other && itemOf(oldest)
    },
  }
}

/** A part of all rows of a table. */
interface Step<Row> {
  rows: Row[]
  /** Where the next part begins; `undefined` after the last one. */
  next: number | undefined
}

/** All rows in small steps. */
function prepareScans(connection: SQLite.Database) {
  const entries = connection.prepare<[after: number], { rowid: number; id: string; packed: Buffer }>(
    'SELECT rowid, id, packed FROM entry WHERE rowid > ? ORDER BY rowid',
  )
  const images = connection.prepare<
    [after: number],
    { rowid: number; name: string } & Pick<ImageRow, 'subjects' | 'lastPurge'>
  >('SELECT rowid, name, subjects, last_purge lastPurge FROM image WHERE rowid > ? ORDER BY rowid')

  return {
    entriesAfter: (after: number): Step<{ id: string; entry: CacheEntry | undefined }> =>
      readStep(
        entries.iterate(after),
        ({ id, packed }) => ({ id, entry: decodeEntry(packed) }),
        ({ packed }) => packed.length,
      ),
    imagesAfter: (after: number): Step<{ name: string } & PurgeableItem> =>
      readStep(
        images.iterate(after),
        (row) => ({ name: row.name, ...purgeableImage(row) }),
        () => 0,
      ),
  }
}

function readStep<Row extends { rowid: number }, Result>(
  found: Iterable<Row>,
  parse: (row: Row) => Result,
  bytesOf: (row: Row) => number,
): Step<Result> {
  const rows: Result[] = []
  let bytes = 0
  for (const row of found) {
    rows.push(parse(row))
    bytes += bytesOf(row)
    if (rows.length === ROWS_PER_STEP || bytes > BYTES_PER_STEP) return { rows, next: row.rowid }
  }
  return { rows, next: undefined }
}

/** The rows of each step, between which requests are served and other rows may come and go. */
export async function* scan<Row>(
  database: CacheDatabase,
  step: (tables: CacheTables, after: number) => Step<Row>,
): AsyncGenerator<Row[]> {
  for (let after: number | undefined = 0; after !== undefined; await nextTurn()) {
    const from: number = after
    const { rows, next } = database.read((tables) => step(tables, from))
    yield rows
    after = next
  }
}

/** The log of purges; other processes may use the same. */
function preparePurges(connection: SQLite.Database) {
  const last = connection.prepare<[], number>('SELECT ifnull(max(sequence), 0) FROM purge').pluck()
  const add = connection.prepare<[json: string]>('INSERT INTO purge (purge) VALUES (?)')
  const trim = connection.prepare<[sequence: number]>('DELETE FROM purge WHERE sequence <= ?')
  const after = connection.prepare<[sequence: number], { sequence: number; purge: string }>(
    `SELECT sequence, purge FROM purge WHERE sequence > ? ORDER BY sequence LIMIT ${PURGES_PER_READ}`,
  )
  return {
    addPurge(purge: Purge): void {
      const { lastInsertRowid } = add.run(JSON.stringify(purge))
      trim.run(Number(lastInsertRowid) - MAX_LOGGED_PURGES)
    },
    readPurges: (sequence: number): { last: number; purges: LoggedPurge[] } => ({
      last: last.get() ?? 0,
      purges: after.all(sequence).flatMap((row) => parsePurge(row.sequence, row.purge)),
    }),
  }
}

export type PendingAccesses = ReturnType<typeof createPendingAccesses>

/**
 * Buffers the last access of each item in memory, so that a read does not cost a write transaction. Flushed once a minute,
 * each item is written at most once a minute.
 *
 * @param onFull  Called when `limit` items are buffered; should flush them.
 */
export function createPendingAccesses({ limit, onFull }: { limit: number; onFull: () => void }) {
  const pending = new Map<string, { item: LruItem; usedAt: number }>()
  const idOf = (item: LruItem) => ('entry' in item ? `entry ${item.entry}` : `image ${item.image}`)
  return {
    add(item: LruItem, usedAt: number): void {
      pending.set(idOf(item), { item, usedAt })
      if (pending.size === limit) onFull()
    },
    /** Removes one item from the buffer and returns its last access. */
    take(item: LruItem): number | undefined {
      const id = idOf(item)
      const usedAt = pending.get(id)?.usedAt
      pending.delete(id)
      return usedAt
    },
    /** Removes all items from the buffer. */
    takeAll(): { item: LruItem; usedAt: number }[] {
      const all = [...pending.values()]
      pending.clear()
      return all
    },
  }
}
