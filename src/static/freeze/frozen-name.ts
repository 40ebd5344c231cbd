import { createHash } from 'node:crypto'

/** The name of an image: a hash of its content, its width in pixels and its type. */
const NAME = /^([\da-f]{16})\.\d{1,5}\.(jpg|png|webp|avif|svg|gif|ico)$/
const HASH_CHARS = 16

/** @param width  Pixels; 0 where it is not known. */
export const frozenName = (bytes: Uint8Array, width: number, type: string): string =>
  `${contentHash(bytes)}.${width}.${type}`

export const isFrozenName = (name: string): boolean => NAME.test(name)

/** Whether the name contains the hash of these bytes. */
export const isContentOf = (name: string, bytes: Uint8Array): boolean => NAME.exec(name)?.[1] === contentHash(bytes)

const contentHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARS)
