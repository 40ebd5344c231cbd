import { PageError } from '../../query/index.js'

const DECODE_TIMEOUT_MS = 30_000

/**
 * Downloads and decodes an image, so that it can be swapped in without a flash. Resolves at once where the environment has
 * no images.
 *
 * @throws  {PageError} `EFATALCLIENT` when the image cannot be decoded within 30 seconds.
 */
export async function decodeImage(url: string, signal: AbortSignal): Promise<void> {
  if (typeof Image === 'undefined' || !('decode' in Image.prototype)) return
  const image = new Image()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DECODE_TIMEOUT_MS)])
  // Removing `src` aborts the download and rejects `decode()`.
  deadline.addEventListener('abort', () => image.removeAttribute('src'))
  image.src = url
  try {
    await image.decode()
  } catch (cause) {
    throw new PageError('EFATALCLIENT', `The new image ${url} cannot be decoded; the previous one stays.`, { cause })
  }
}
