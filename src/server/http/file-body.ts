import type { ImageName, Store, StoredImage } from '../store/index.js'
import type { ResponseBody } from './response-body.js'

/** A large file as a response: streamed from the disk, so that a client that reads slowly costs no memory. */
export interface StreamedBody {
  image: StoredImage
  headers: Record<string, string>
}

/** Smaller files are read at once, which costs less than a stream. */
const MAX_BUFFERED_BYTES = 256 * 1024

/**
 * The body of a stored file.
 *
 * @returns  `undefined` when the file is lost.
 */
export async function fileBody(
  file: ImageName,
  store: Store,
  headersFor: (size: number) => Record<string, string>,
): Promise<ResponseBody | StreamedBody | undefined> {
  const image = await store.openImage(file)
  if (!image) return undefined
  const headers = headersFor(image.size)
  if (image.size > MAX_BUFFERED_BYTES) return { image, headers }
  const bytes = await store.readImage(file)
  return bytes && { bytes: bytes as Uint8Array<ArrayBuffer>, headers }
}
