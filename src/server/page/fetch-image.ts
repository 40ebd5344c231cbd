import { unreachable } from './describe-failure.js'
import { fetchFile, type FetchFileOptions } from './fetch-file.js'

export type FetchImageOptions = Pick<FetchFileOptions, 'guard' | 'dispatcher' | 'signal'> & {
  /** Default: 10 MB. */
  maxBytes?: number
}

const MAX_IMAGE_BYTES = 10_000_000

/**
 * Fetches one image.
 *
 * @returns  Its bytes; only the header says so far that they are an image.
 * @throws   {PageError} as `fetchFile` does.
 */
export function fetchImage(
  url: string,
  { maxBytes = MAX_IMAGE_BYTES, ...options }: FetchImageOptions,
): Promise<Uint8Array> {
  return fetchFile(url, {
    ...options,
    maxBytes,
    accept: 'image/avif,image/webp,image/png,image/jpeg,image/*;q=0.8',
    admit({ url: address, statusCode, contentType }) {
      const { host } = new URL(address)
      if (statusCode !== 200) throw unreachable('The image', `${host} answers with status ${statusCode}`)
      if (!/^image\//i.test(contentType)) throw unreachable('The image', `what ${host} gives is no image`)
    },
  })
}
