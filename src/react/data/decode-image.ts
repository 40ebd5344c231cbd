import { PageError } from '../../query/index.js'

const DECODE_TIMEOUT_MS = 30_000

/**
 * Loads and decodes a picture, so that it can be swapped in without a flash. Does nothing where there are no pictures.
 *
 * @throws  {PageError} `EFATALCLIENT` when it cannot be shown in time.
 */
export async function decodeImage(url: string, signal: AbortSignal): Promise<void> {
  if (typeof Image === 'undefined' || !('decode' in Image.prototype)) return
  const image = new Image()
  const end = AbortSignal.any([signal, AbortSignal.timeout(DECODE_TIMEOUT_MS)])
  // Without an address the download ends, and so does `decode()`.
  end.addEventListener('abort', () => image.removeAttribute('src'))
  image.src = url
  try {
    await image.decode()
  } catch (cause) {
    throw new PageError('EFATALCLIENT', `The renewed picture ${url} cannot be shown.`, { cause })
  }
}
