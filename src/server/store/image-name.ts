import { hashBytes } from './hash-bytes.js'

/** Name of a stored image, as in `/images/<name>`: the SHA-256 of its bytes in hex, a dot, its file type. */
export type ImageName = `${string}.${string}`

const IMAGE_NAME = /^[0-9a-f]{64}\.[a-z0-9]{1,8}$/

/** Whether a string has the form of an image name, so that it can be part of a path without leaving the folder. */
export function isImageName(name: string): name is ImageName {
  return IMAGE_NAME.test(name)
}

/**
 * Names an image by its content, so that the same bytes are stored once.
 *
 * @throws {TypeError} when the type is not 1–8 lower-case letters and digits.
 */
export async function createImageName(bytes: Uint8Array, type: string): Promise<ImageName> {
  const name = `${await hashBytes(bytes)}.${type}`
  if (!isImageName(name)) throw new TypeError(`${JSON.stringify(type)} is not a file type such as "jpg"`)
  return name
}
