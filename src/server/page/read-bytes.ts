import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'

export interface Bytes {
  bytes: Buffer
  /** Whether `bytes` is all there is. */
  isWhole: boolean
}

const MAX_CODINGS = 3

/** Newer than the oldest Node we run on. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd: createZstdDecompress && (() => createZstdDecompress()),
}

/** For `accept-encoding`. */
export const readableEncodings = `gzip, deflate, br${createZstdDecompress ? ', zstd' : ''}`

/**
 * Reads a body, decompressed, and stops at `maxBytes` of what comes out, so that nothing small can become large.
 *
 * @throws  {Error} what the stream or the decoder says; a `code` starting with `ERR_` for an encoding that nobody asked for.
 */
export async function readBytes(
  body: Readable,
  { encoding, maxBytes, signal }: { encoding: string | undefined; maxBytes: number; signal: AbortSignal },
): Promise<Bytes> {
  const chunks: Buffer[] = []
  let size = 0
  let isWhole = true
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      chunks.push(chunk)
      size += chunk.length
      isWhole = size <= maxBytes
      if (!isWhole) return
    }
  }
  try {
    const [first, second, third] = codings(encoding)
    if (first && second && third) await pipeline(body, first, second, third, collect, { signal })
    else if (first && second) await pipeline(body, first, second, collect, { signal })
    else if (first) await pipeline(body, first, collect, { signal })
    else await pipeline(body, collect, { signal })
  } catch (error) {
    if (isWhole) throw error
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole }
}

/** Last applied, first undone. */
function codings(encoding = ''): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
  if (names.length > MAX_CODINGS) throw unknownEncoding(encoding)
  return names.toReversed().map((name) => {
    const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined
    if (!create) throw unknownEncoding(name)
    return create()
  })
}

const unknownEncoding = (name: string) =>
  Object.assign(new Error(`unknown content-encoding ${name.slice(0, 99)}`), { code: 'ERR_ENCODING' })
