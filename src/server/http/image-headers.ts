import { contentTypeOf, type MediaField } from '../media/index.js'
import type { ImageName } from '../store/index.js'

const NAME = /^[a-f\d]{64}\.(jpg|png|webp|avif)$/

export const isImageName = (name: string): name is ImageName => NAME.test(name)

/** Headers of a kept file's bytes: shown or played, never run, on any page. */
export function bytesHeaders(file: ImageName): Record<string, string> & { etag: string } {
  const [hash, type] = file.split('.') as [string, string]
  return {
    'content-type': contentTypeOf(type),
    etag: `"${hash}"`,
    // An SVG that is opened by itself is a document, with scripts; inside an `<img>` it is shown all the same.
    'content-disposition': type === 'svg' ? 'attachment; filename="image.svg"' : 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
  }
}

/** As `bytesHeaders`, with the facts that an embedded picture has no JSON to carry. */
export const imageHeaders = (
  file: ImageName,
  { width, height, size }: { width: number | null; height: number | null; size: number },
): Record<string, string> => ({
  ...bytesHeaders(file),
  ...(width && { 'x-image-width': String(width) }),
  ...(height && { 'x-image-height': String(height) }),
  'x-image-size': String(size),
})

/** Sound and film are asked for in parts, to be wound. */
export const mediaHeaders = (
  file: ImageName,
  field: MediaField,
  facts: { width: number | null; height: number | null; size: number },
): Record<string, string> =>
  field === 'image' || field === 'logo'
    ? imageHeaders(file, facts)
    : { ...bytesHeaders(file), 'accept-ranges': 'bytes', 'x-image-size': String(facts.size) }
