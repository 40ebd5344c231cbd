import { pack, unpack } from 'msgpackr'
import { crc32 } from 'node:zlib'
import { isImageName } from './image-name.js'
import type { CacheEntry } from './store.js'

/** Raised with every change to entries or to a body in them, so that a service never reads what another version wrote. */
const SCHEMA_VERSION = 3
const CHECKSUM_BYTES = 4

/** A cache entry as bytes: a checksum, and in MessagePack the schema version with the entry. */
export function encodeEntry({ createdAt, expiresAt, images, body, ...marks }: CacheEntry): Buffer {
  const { allowances, subjects, lastPurge, owner } = marks
  const optional = {
    ...(allowances && { allowances }),
    ...(subjects && { subjects }),
    ...(lastPurge !== undefined && { lastPurge }),
    ...(owner !== undefined && { owner }),
  }
  const packed = pack([SCHEMA_VERSION, { createdAt, expiresAt, images, ...optional, body }])
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES + packed.length)
  bytes.writeUInt32LE(crc32(packed))
  bytes.set(packed, CHECKSUM_BYTES)
  return bytes
}

/** @returns  `undefined` for bytes that are damaged or from another version: such an entry is a miss. */
export function decodeEntry<Body = unknown>(bytes: Buffer): CacheEntry<Body> | undefined {
  if (bytes.length <= CHECKSUM_BYTES) return undefined
  const packed = bytes.subarray(CHECKSUM_BYTES)
  if (bytes.readUInt32LE() !== crc32(packed)) return undefined
  const row = unpackRow(packed)
  if (!Array.isArray(row) || row[0] !== SCHEMA_VERSION) return undefined
  const entry: unknown = row[1]
  return isEntry(entry) ? (entry as CacheEntry<Body>) : undefined
}

function unpackRow(packed: Buffer): unknown {
  try {
    return unpack(packed)
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is CacheEntry {
  if (typeof value !== 'object' || value === null) return false
  const row: Record<string, unknown> = { ...value }
  const { createdAt, expiresAt, images, allowances, subjects, lastPurge, owner, body } = row
  return (
    Number.isFinite(createdAt) &&
    Number.isFinite(expiresAt) &&
    isTextList(images) &&
    images.every(isImageName) &&
    [allowances, subjects].every((list) => list === undefined || isTextList(list)) &&
    (lastPurge === undefined || Number.isFinite(lastPurge)) &&
    (owner === undefined || typeof owner === 'string') &&
    body !== undefined
  )
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
