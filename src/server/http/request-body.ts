import { PageError } from '../../query/index.js'

/** @throws  {PageError} `EINVALQUERY` for a body that is too large; the rest of it is not read. */
export async function readRequestBody({ body }: Request, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) {
      const reason = `is larger than ${maxBytes / 1_000_000} MB; split the list`
      throw new PageError('EINVALQUERY', `The body ${reason}.`, { data: { body: reason } })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
