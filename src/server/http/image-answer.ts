import type { MadeAnswer } from '../made-answer.js'
import type { ImageName } from '../store/index.js'

const MIME_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
}

const NAME = /^[a-f\d]{64}\.(jpg|png|webp|avif)$/

export const isImageName = (name: string): name is ImageName => NAME.test(name)

/** Headers of a kept image's bytes: shown, never run, on any page. */
export function bytesHeaders(image: ImageName): Record<string, string> & { etag: string } {
  const [hash, type] = image.split('.') as [string, string]
  return {
    'content-type': MIME_TYPES[type] ?? 'application/octet-stream',
    etag: `"${hash}"`,
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  }
}

/** As `bytesHeaders`, with the facts that an embedded picture has no JSON to carry. */
export const imageHeaders = (screenshot: NonNullable<MadeAnswer['screenshot']>): Record<string, string> => ({
  ...bytesHeaders(screenshot.image),
  'x-image-width': String(screenshot.width),
  'x-image-height': String(screenshot.height),
  'x-image-size': String(screenshot.size),
})
