import { readFileSync } from 'node:fs'

/** The columns of a row: text, integers and `null`; `undefined` for other values. */
export type TableRow = (string | number | null | undefined)[]

/** What is read at most: more than a million keys. */
const MAX_BYTES = 512 * 1_024 * 1_024
const DEFAULT_PAGE_BYTES = 4_096
const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const TABLE_LEAF = 0x0d
const INDEX_LEAF = 0x0a
/** On the first page, the header of the file comes before that of the page. */
const FILE_HEADER_BYTES = 100

/**
 * Reads the rows of a SQLite file that SQLite itself cannot read any more, because its header, its schema or the upper pages of a
 * table are damaged: from each page that still looks like a leaf, without the tree that leads to it. Rows that need more than one
 * page are left out. Pages are read from the log, if it has newer ones.
 *
 * @returns  The rows of all tables, in no order. Whoever calls has to tell them apart, and to check what is in them.
 * @see      https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export function readTableRows(path: string): TableRow[] {
  const file = readIfExists(path)
  const pageBytes = pageBytesOf(file)
  const pages = new Map<number, Buffer>()
  for (let number = 1; number * pageBytes <= file.length; number++)
    pages.set(number, file.subarray((number - 1) * pageBytes, number * pageBytes))
  for (const [number, page] of readLog(readIfExists(`${path}-wal`), pageBytes)) pages.set(number, page)
  return [...pages].flatMap(([number, page]) => readLeaf(page, number === 1 ? FILE_HEADER_BYTES : 0))
}

function readIfExists(path: string): Buffer {
  try {
    return readFileSync(path).subarray(0, MAX_BYTES)
  } catch {
    return Buffer.alloc(0)
  }
}

/** The size of a page as the header says; if the header is damaged, what this service uses. */
function pageBytesOf(file: Buffer): number {
  const bytes = file.length >= FILE_HEADER_BYTES ? file.readUInt16BE(16) : 0
  return bytes >= 512 && (bytes & (bytes - 1)) === 0 ? bytes : DEFAULT_PAGE_BYTES
}

/** The newest version of each page up to the last commit of the log. */
function readLog(log: Buffer, pageBytes: number): Map<number, Buffer> {
  const committed = new Map<number, Buffer>()
  let pending: [number, Buffer][] = []
  if (log.length < LOG_HEADER_BYTES || log.readUInt32BE(8) !== pageBytes) return committed
  const salts = log.subarray(16, 24)
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    // Behind the last frame are those of an earlier log, with other salts.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    pending.push([log.readUInt32BE(at), log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes)])
    if (log.readUInt32BE(at + 4) === 0) continue
    for (const [number, page] of pending) committed.set(number, page)
    pending = []
  }
  return committed
}

function readLeaf(page: Buffer, start: number): TableRow[] {
  const type = page[start]
  if (type !== TABLE_LEAF && type !== INDEX_LEAF) return []
  const count = page.readUInt16BE(start + 3)
  const rows: TableRow[] = []
  for (let index = 0; index < count; index++) {
    const pointer = start + 8 + 2 * index
    if (pointer + 2 > page.length) break
    const row = readCell(page, page.readUInt16BE(pointer), type === TABLE_LEAF)
    if (row) rows.push(row)
  }
  return rows
}

/** @returns  `undefined` if the cell is damaged, or goes on in another page. */
function readCell(page: Buffer, at: number, hasRowId: boolean): TableRow | undefined {
  const reader = createReader(page, at)
  const payloadBytes = reader.varint()
  if (hasRowId) reader.varint()
  const record = reader.bytes(payloadBytes)
  return record && readRecord(record)
}

/** @see https://www.sqlite.org/fileformat2.html#record_format */
function readRecord(record: Buffer): TableRow | undefined {
  const header = createReader(record, 0)
  const headerBytes = header.varint()
  const values = createReader(record, headerBytes)
  const row: TableRow = []
  while (header.position() < headerBytes) {
    const type = header.varint()
    const bytes = values.bytes(bytesOfType(type))
    if (!bytes) return undefined
    row.push(valueOf(type, bytes))
  }
  return row
}

/** Bytes of a value by its type: integers of up to eight bytes, a float, 0, 1, and from 12 on blobs and texts. */
const bytesOfType = (type: number): number => (type >= 12 ? (type - 12) >> 1 : ([0, 1, 2, 3, 4, 6, 8, 8][type] ?? 0))

function valueOf(type: number, bytes: Buffer): TableRow[number] {
  if (type === 0) return null
  if (type <= 5) return bytes.readIntBE(0, bytes.length)
  if (type === 6) return Number(bytes.readBigInt64BE())
  if (type === 8 || type === 9) return type - 8
  return type >= 13 && type % 2 === 1 ? bytes.toString() : undefined
}

/** Reads numbers and bytes one after another; behind the end there are zeros, and no bytes. */
function createReader(buffer: Buffer, start: number) {
  let at = start
  return {
    position: () => at,
    /** @see https://www.sqlite.org/fileformat2.html#varint */
    varint(): number {
      let value = 0
      for (let index = 0; index < 9; index++) {
        const byte = buffer[at++] ?? 0
        value = value * 128 + (byte & 127)
        if (byte < 128) break
      }
      return value
    },
    bytes(count: number): Buffer | undefined {
      const end = at + count
      if (at < 0 || end > buffer.length) return undefined
      const bytes = buffer.subarray(at, end)
      at = end
      return bytes
    },
  }
}
