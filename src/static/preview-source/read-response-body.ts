import { PageError } from '../../query/index.js'

/**
 * Reads the bytes of a response.
 *
 * @throws  {PageError} `ETOOLARGE` beyond `maxBytes`; the rest is not read.
 */
export async function readResponseBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw new PageError('ETOOLARGE', `The response of the service is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
