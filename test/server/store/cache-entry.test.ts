import { pack, unpack } from 'msgpackr'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { decodeEntry, encodeEntry } from '../../../src/server/store/cache-entry.js'
import type { CacheEntry } from '../../../src/server/store/index.js'

const entry: CacheEntry = { createdAt: 1, expiresAt: 2, images: [`${'a'.repeat(64)}.jpg`], body: { title: 'Ä' } }
const row = () => unpack(encodeEntry(entry).subarray(4)) as [number, CacheEntry]

/** A row with a checksum that fits. */
function encodeRow(value: unknown): Buffer {
  const packed = pack(value)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(packed))
  return Buffer.concat([checksum, packed])
}

it('decodes what it has encoded', () => {
  expect(decodeEntry(encodeEntry(entry))).toEqual(entry)
  expect(decodeEntry(encodeEntry({ ...entry, allowances: ['a:80'] }))).toEqual({ ...entry, allowances: ['a:80'] })
  expect(decodeEntry(encodeRow(row()))).toEqual(entry)
})

it.each<[string, (version: number, entry: CacheEntry) => unknown]>([
  ['an unknown version', (version, entry) => [version + 1, entry]],
  ['no version', (_, entry) => entry],
  ['no entry', (version) => [version]],
  ['null', (version) => [version, null]],
  ['a time that is text', (version, entry) => [version, { ...entry, createdAt: '1' }]],
  ['an endless time', (version, entry) => [version, { ...entry, expiresAt: Infinity }]],
  ['no images', (version, entry) => [version, { ...entry, images: undefined }]],
  ['an image that leaves the folder', (version, entry) => [version, { ...entry, images: ['../../x'] }]],
  ['allowances that are no list', (version, entry) => [version, { ...entry, allowances: 'a:80' }]],
  ['no body', (version, entry) => [version, { ...entry, body: undefined }]],
])('does not decode a row with %s', (_, change) => {
  expect(decodeEntry(encodeRow(change(...row())))).toBeUndefined()
})

it('decodes no bytes of which one bit is flipped, or the end is missing', () => {
  const bytes = encodeEntry(entry)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    expect(decodeEntry(flipped), `bit ${bit}`).toBeUndefined()
  }
  for (let length = 0; length < bytes.length; length++) expect(decodeEntry(bytes.subarray(0, length))).toBeUndefined()
})
