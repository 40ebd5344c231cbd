import { createHash } from 'node:crypto'
import { isPageError, PageError } from '../../../query/index.js'
import { failureReason } from '../failure-reason.js'
import type { ImageName } from '../image-name.js'
import { isNetworkError } from '../is-network-error.js'
import type { DependencyState } from '../store.js'
import type { BucketConfig, BucketCredentials } from './parse-bucket-url.js'
import { createRotatingClient } from './rotating-client.js'

/** Images in an S3 bucket. */
export interface Bucket {
  put(name: ImageName, bytes: Uint8Array): Promise<void>
  /** `undefined` when there is no such object, or when its bytes do not match its name. */
  get(name: ImageName): Promise<Uint8Array | undefined>
  /** As the last request found it. */
  state(): DependencyState
  /** Sends a request, so that `state` is up to date; never rejects. */
  check(): Promise<void>
}

export interface BucketEvents {
  /** Called once when the bucket becomes unreachable. */
  onUnreachable: (error: Error) => void
  /** Called when it responds again. */
  onRecovered: () => void
}

export interface BucketOptions extends BucketEvents {
  /** Called again when the bucket refuses the credentials. Default: those of the config. */
  readCredentials?: (() => BucketCredentials) | undefined
}

const CHECK_TIMEOUT_MS = 2_000
/** An object that is written and read to check access. */
const PROBE_OBJECT = 'page-preview'
const PROBE_TEXT = 'Page Preview stores images here.\n'

/**
 * Opens a bucket, also while it is unreachable. Every method rejects with a `PageError` `EBUSY` when the bucket is unreachable, and with a plain error
 * when it rejects the request.
 *
 * @throws  Error with a sentence for the operator when the bucket does not exist or cannot be written.
 */
export async function openBucket(
  config: BucketConfig,
  { readCredentials = () => config, ...events }: BucketOptions,
): Promise<Bucket> {
  const { request, state } = trackReachability(createRequest(config, readCredentials), events)
  try {
    const bytes = new TextEncoder().encode(PROBE_TEXT)
    await request('PUT', PROBE_OBJECT, { bytes, timeoutMs: CHECK_TIMEOUT_MS, attempts: 1 })
  } catch (error) {
    if (isPageError(error) && isNetworkError(error)) return bucketOf(request, state)
    throw new Error(
      `The bucket ${config.displayUrl} cannot be used (${failureReason(error)}); check --s3, its credentials, and that they may read and write.`,
      { cause: error },
    )
  }
  return bucketOf(request, state)
}

function bucketOf(request: BucketRequest, state: () => DependencyState): Bucket {
  return {
    put: async (name, bytes) => void (await request('PUT', name, { bytes })),
    async get(name) {
      const bytes = await request('GET', name)
      return bytes && name.startsWith(sha256(bytes)) ? bytes : undefined
    },
    state,
    check: () =>
      request('GET', PROBE_OBJECT, { timeoutMs: CHECK_TIMEOUT_MS, attempts: 1 }).then(
        () => undefined,
        () => undefined,
      ),
  }
}

interface RequestOptions {
  bytes?: Uint8Array | undefined
  /** For each attempt. Default: 8 seconds, because an image may have 25 MB. */
  timeoutMs?: number
  /** Default: 2. */
  attempts?: number
}

/** Resolves to the body of the response, or to `undefined` when the object does not exist. */
type BucketRequest = (
  method: 'GET' | 'PUT',
  name: string,
  options?: RequestOptions,
) => Promise<Uint8Array<ArrayBuffer> | undefined>

function createRequest(config: BucketConfig, readCredentials: () => BucketCredentials): BucketRequest {
  const client = createRotatingClient(readCredentials, config.region)

  async function send(method: 'GET' | 'PUT', name: string, { bytes, timeoutMs = 8_000 }: RequestOptions) {
    const response = await client.fetch(`${config.url}/${config.prefix}${name}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(bytes && { body: bytes as Uint8Array<ArrayBuffer>, headers: { 'x-amz-content-sha256': sha256(bytes) } }),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    const { status, ok } = response
    if (ok) return body
    const code = errorCodeIn(body)
    if (method === 'GET' && status === 404 && code !== 'NoSuchBucket') return undefined
    const message = `${method} failed with ${[status, code].filter(Boolean).join(' ')}`
    throw status >= 500 || status === 429 ? new Error(message) : new RejectedError(message)
  }

  return async (method, name, options = {}) => {
    const { attempts = 2 } = options
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(method, name, options)
      } catch (error) {
        if (error instanceof RejectedError || isTimeout(error) || attempt >= attempts) throw error
      }
    }
  }
}

/** Reports when the bucket becomes unreachable and when it recovers, and throws `EBUSY` while it is unreachable. */
function trackReachability(
  send: BucketRequest,
  { onUnreachable, onRecovered }: BucketEvents,
): { request: BucketRequest; state: () => DependencyState } {
  let state: DependencyState = 'ok'
  const markReachable = (reached: 'ok' | 'rejected') => {
    if (state === 'unreachable') onRecovered()
    state = reached
  }
  const request: BucketRequest = async (method, name, options) => {
    try {
      const body = await send(method, name, options)
      markReachable('ok')
      return body
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (error instanceof RejectedError) {
        markReachable('rejected')
        throw error
      }
      if (state !== 'unreachable') onUnreachable(error)
      state = 'unreachable'
      throw new PageError('EBUSY', 'The image store of this service cannot be reached. Try again in a few seconds.', {
        retryAfterMs: 2_000,
        cause: error,
      })
    }
  }
  return { request, state: () => state }
}

/** The bucket is reachable and rejected the request. */
class RejectedError extends Error {
  override readonly name = 'RejectedError'
}

/** The code in an XML error response of S3. */
const errorCodeIn = (body: Uint8Array): string | undefined =>
  /<Code>([\w.]{1,60})<\/Code>/.exec(new TextDecoder().decode(body.subarray(0, 4_096)))?.[1]

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
