import { AwsClient } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { PageError } from '../../../query/index.js'
import { reasonOf } from '../reason-of.js'
import type { ImageName } from '../store.js'
import type { BucketAddress } from './read-bucket-url.js'

/** Images in an S3 bucket, by their names. */
export interface Bucket {
  put(name: ImageName, bytes: Uint8Array): Promise<void>
  /** The bytes, or nothing when there is no such object or it holds something else. */
  get(name: ImageName): Promise<Uint8Array | undefined>
  isReady(): Promise<boolean>
}

export interface BucketNews {
  /** Called once when the bucket is lost. */
  onLost: (error: Error) => void
  /** Called when it is there again. */
  onBack: () => void
}

/** One try; large pictures have up to 25 MB. */
const DEADLINE_MS = 8_000
const READY_DEADLINE_MS = 2_000
const TRIES = 2
/** An object that shows whether the bucket can be written and read. */
const MARK = 'page-preview'

/**
 * Opens a bucket.
 *
 * @throws  Error with a sentence when it cannot be reached, is not there, or cannot be written; every method rejects with a
 *   `PageError` `EBUSY` when it is out of reach, and with the plain error when it refuses.
 */
export async function openBucket(address: BucketAddress, { onLost, onBack }: BucketNews): Promise<Bucket> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = address
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    region,
    service: 's3',
    retries: 0,
  })
  let isLost = false

  async function ask(
    method: 'GET' | 'PUT',
    name: string,
    { bytes, deadlineMs = DEADLINE_MS, tries = TRIES }: Ask = {},
  ) {
    for (let tried = 1; ; tried++) {
      try {
        const found = await send(method, name, { bytes, deadlineMs })
        if (isLost) onBack()
        isLost = false
        return found
      } catch (error) {
        if (!(error instanceof Error) || error instanceof RefusedError) throw error
        if (tried < tries && !isTimeout(error)) continue
        if (!isLost) onLost(error)
        isLost = true
        throw new PageError('EBUSY', 'The service cannot reach the place of its pictures; ask again in a moment.', {
          retryAfterMs: 2_000,
          cause: error,
        })
      }
    }
  }

  async function send(method: 'GET' | 'PUT', name: string, { bytes, deadlineMs }: Ask & { deadlineMs: number }) {
    const response = await client.fetch(`${address.url}/${address.prefix}${name}`, {
      method,
      signal: AbortSignal.timeout(deadlineMs),
      ...(bytes && { body: bytes as Uint8Array<ArrayBuffer>, headers: { 'x-amz-content-sha256': sha256(bytes) } }),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    const { status, ok } = response
    if (ok) return body
    const code = /<Code>([\w.]{1,60})<\/Code>/.exec(new TextDecoder().decode(body.subarray(0, 4_096)))?.[1]
    if (method === 'GET' && status === 404 && code !== 'NoSuchBucket') return undefined
    const message = `${method} is answered with ${[status, code].filter(Boolean).join(' ')}`
    throw status >= 500 || status === 429 ? new Error(message) : new RefusedError(message)
  }

  try {
    await ask('PUT', MARK, { bytes: new TextEncoder().encode('Page Preview keeps images here.\n'), tries: 1 })
  } catch (error) {
    throw new Error(
      `The bucket ${address.name} cannot be used (${reasonOf(error)}); check --s3, its credentials, and that it may be read and written.`,
      { cause: error },
    )
  }

  return {
    put: async (name, bytes) => void (await ask('PUT', name, { bytes })),
    async get(name) {
      const bytes = await ask('GET', name)
      return bytes && name.startsWith(sha256(bytes)) ? bytes : undefined
    },
    isReady: () =>
      ask('GET', MARK, { deadlineMs: READY_DEADLINE_MS, tries: 1 }).then(
        () => true,
        () => false,
      ),
  }
}

interface Ask {
  bytes?: Uint8Array | undefined
  deadlineMs?: number
  tries?: number
}

/** The bucket is there, and said no. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const isTimeout = (error: Error): boolean => error.name === 'TimeoutError'
