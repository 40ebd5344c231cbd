import { PageError } from '../../query/index.js'
import { readResponseBody } from './read-response-body.js'
import type { SourceImage } from './preview-source.js'

/** Larger than every image that a service delivers. */
const MAX_BYTES = 40_000_000
const TYPES: Readonly<Record<string, SourceImage['type']>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/gif': 'gif',
  'image/x-icon': 'ico',
  'image/bmp': 'bmp',
}

/**
 * Reads an embedded image.
 *
 * @throws  {PageError} `ENOEMBED` when the response is not an image, `ETOOLARGE`.
 */
export async function readImage(response: Response): Promise<SourceImage> {
  const contentType = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const type = TYPES[contentType]
  if (!type || response.headers.has('x-image-source')) {
    await response.body?.cancel()
    throw new PageError('ENOEMBED', 'The result has no such image.', { data: { embed: 'missing' } })
  }
  const bytes = await readResponseBody(response, MAX_BYTES)
  return { bytes, type, width: pixels(response, 'x-image-width'), height: pixels(response, 'x-image-height') }
}

const pixels = (response: Response, header: string): number | undefined =>
  Number(response.headers.get(header)) || undefined
