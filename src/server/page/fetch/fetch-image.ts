import type { FetchContext } from './fetch-context.js'
import { unreachableError } from './fetch-error.js'
import { fetchFile } from './fetch-file.js'

export interface FetchImageOptions extends FetchContext {
  /** Default: 10 MB. */
  maxBytes?: number
}

const MAX_IMAGE_BYTES = 10_000_000

/**
 * Fetches one image.
 *
 * @returns  Its bytes. Only the content type has been checked, not whether they can be decoded.
 * @throws   {PageError} as `fetchFile` does.
 */
export function fetchImage(
  url: string,
  { maxBytes = MAX_IMAGE_BYTES, ...context }: FetchImageOptions,
): Promise<Uint8Array> {
  return fetchFile(url, {
    ...context,
    maxBytes,
    accept: 'image/avif,image/webp,image/png,image/jpeg,image/*;q=0.8',
    checkResponse(response) {
      const { host } = new URL(response.url)
      if (response.statusCode !== 200)
        throw unreachableError('The image', `${host} responds with status ${response.statusCode}`)
      if (!/^image\//i.test(response.contentType))
        throw unreachableError('The image', `the response of ${host} is not an image`)
    },
  })
}
