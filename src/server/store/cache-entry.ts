import { pack, unpack } from 'msgpackr'
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hostnameOf } from '../hostnames.js'
import { isImageName, type ImageName } from './stored-image.js'

/** A cached result. Nothing in it depends on a single request, so it serves every request with the same cache key. */
export interface CacheEntry<Body = unknown> {
  /** Milliseconds since 1970. */
  createdAt: number
  /** Milliseconds since 1970; from then on the entry is never returned. */
  expiresAt: number
  /** The stored images that `body` names; none of them is removed before the entry. */
  images: ImageName[]
  /** `HOST:PORT` of the targets that the network guard let through only because they are allowed; see `StoreOptions`. */
  allowances?: string[] | undefined
  /** What `body` shows: the page, and the pages before and after it in a chain of redirects. */
  subjects?: Subject[] | undefined
  /** Hash of the client that caused the work for this entry; see `createOwnerHash`. */
  owner?: string | undefined
  /** Number of the last purge that was known when the work for this entry began; later ones delete it. */
  lastPurge?: number | undefined
  /** JSON values and byte arrays. */
  body: Body
}

/**
 * What a cache entry shows: a page, as its host, a space and a digest of its URL, which may be long; or the image that it was
 * made from, as a space and its name.
 */
export type Subject = `${string} ${string}`

/** A clock further ahead is wrong. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000

/** Whether an entry is from a clock that was wrong, so that its time says nothing. */
export const isFromFuture = ({ createdAt }: Pick<CacheEntry, 'createdAt'>, now: number): boolean =>
  createdAt - now > MAX_CLOCK_DIFFERENCE_MS

/** A cache entry, or an image that no entry names any more, as far as purges concern it. */
export type PurgeableItem = Pick<CacheEntry, 'subjects' | 'lastPurge'>

/** Raised with every change to entries or to a body in them, so that a service never reads what another version wrote. */
const SCHEMA_VERSION = 5
const CHECKSUM_BYTES = 4

/** Shortens text of any length to a fixed-size id, because database keys are limited in length. */
export const digest = (text: string): string => hash('sha256', text, 'base64url')

/** @param url  Absolute. Its hash is ignored, for it is the same page. */
export function subjectOfUrl(url: string | URL): Subject {
  const page = new URL(url)
  page.hash = ''
  return `${hostnameOf(page)} ${digest(page.href)}`
}

/** The subject of the variants of an image. */
export const subjectOfImage = (image: ImageName): Subject => ` ${image}`

/** The images of which an entry has a variant. */
export const originalsOf = ({ subjects = [] }: PurgeableItem): ImageName[] =>
  subjects.map((subject) => subject.slice(1)).filter(isImageName)

/** The host of a page without its port; empty for an image. */
export const hostOfSubject = (subject: string): string => subject.slice(0, subject.indexOf(' '))

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
