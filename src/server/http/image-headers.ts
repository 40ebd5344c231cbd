import { contentTypeOf } from '../media/index.js'
import type { ImageName } from '../store/index.js'

const IMAGE_NAME = /^[a-f\d]{64}\.(jpg|png|webp|avif)$/

/** Size of an image, or of a media file, which has no width and height. */
export interface FileSize {
  /** Pixels. */
  width: number | null
  height: number | null
  /** Bytes. */
  size: number
}

export const isPublicImageName = (name: string): name is ImageName => IMAGE_NAME.test(name)

/** Headers of a stored file: every page may embed it, and no browser runs it as a document. */
export function fileHeaders(file: ImageName): Record<string, string> & { etag: string } {
  const [hash, type] = file.split('.') as [string, string]
  return {
    'content-type': contentTypeOf(type),
    etag: `"${hash}"`,
    // Opened by itself, an SVG is a document with scripts; `attachment` prevents that, and `<img>` ignores it.
    'content-disposition': type === 'svg' ? 'attachment; filename="image.svg"' : 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  }
}

/** `fileHeaders` with the image's size, because an embedded image comes without JSON. */
export const imageHeaders = (file: ImageName, { width, height, size }: FileSize): Record<string, string> => ({
  ...fileHeaders(file),
  ...(width && { 'x-image-width': String(width) }),
  ...(height && { 'x-image-height': String(height) }),
  'x-image-size': String(size),
})

/** Headers of audio and video, which accept range requests, because players need them to seek. */
export const playableHeaders = (file: ImageName, bytes: number): Record<string, string> => ({
  ...fileHeaders(file),
  'accept-ranges': 'bytes',
  'x-image-size': String(bytes),
})
