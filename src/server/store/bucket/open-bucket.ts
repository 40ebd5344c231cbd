import { isPageError, PageError } from '../../../query/index.js'
import { failureReason } from '../failure-reason.js'
import { hashBytes } from '../hash-bytes.js'
import type { ImageName } from '../image-name.js'
import { isNetworkError } from '../is-network-error.js'
import type { DependencyState } from '../store.js'
import { BucketError, bucketFailure, type BucketFailure } from './bucket-error.js'
import type { BucketConfig, BucketCredentials } from './parse-bucket-url.js'
import { createRotatingClient } from './rotating-client.js'

/** Images in an S3 bucket. */
export interface Bucket {
  put(name: ImageName, bytes: Uint8Array): Promise<void>
  /** `undefined` when there is no such object, or when its bytes do not match its name. */
  get(name: ImageName): Promise<Uint8Array | undefined>
  /** Also resolves when there is no such object. */
  delete(name: ImageName): Promise<void>
  /** As the last request found it. */
  state(): DependencyState
  /** Sends a request, so that `state` is up to date; never rejects. */
  check(): Promise<void>
}

export interface BucketEvents {
  /** Called once when the bucket begins to fail, and when it fails in another way. */
  onFailure: (failure: BucketFailure, error: Error) => void
  /** Called when it works again. */
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
 * Opens a bucket, also while it is unreachable, full or throttled. Every method rejects with a `PageError` `EBUSY` when the
 * bucket fails; its cause explains why.
 *
 * @throws  Error with a sentence for the operator when the bucket does not exist or cannot be written.
 */
export async function openBucket(
  config: BucketConfig,
  { readCredentials = () => config, ...events }: BucketOptions,
): Promise<Bucket> {
  const send = createRequest(config, readCredentials)
  const { request, state } = trackState(send, events)
  try {
    const bytes = new TextEncoder().encode(PROBE_TEXT)
    await request('PUT', PROBE_OBJECT, { bytes, timeoutMs: CHECK_TIMEOUT_MS, attempts: 1 })
  } catch (error) {
    if (isTemporary(error)) return bucketOf({ send, request, state })
    throw new Error(
      `The bucket ${config.displayUrl} cannot be used (${failureReason(error)}); check --s3, its credentials, and that they may read and write.`,
      { cause: error },
    )
  }
  return bucketOf({ send, request, state })
}

interface BucketRequests {
  send: BucketRequest
  /** `send`, whose failures change the state of the bucket. */
  request: TrackedRequest
  state: () => DependencyState
}

function bucketOf({ send, request, state }: BucketRequests): Bucket {
  return {
    put: async (name, bytes) => void (await request('PUT', name, { bytes })),
    async get(name) {
      const bytes = await request('GET', name)
      return bytes && name.startsWith(await hashBytes(bytes)) ? bytes : undefined
    },
    // A bucket may be readable and writable without the permission to delete.
    delete: (name) => send('DELETE', name).then(() => undefined, rethrowAsBusy),
    state,
    check: () =>
      request('GET', PROBE_OBJECT, { timeoutMs: CHECK_TIMEOUT_MS, attempts: 1 }).then(
        () => undefined,
        () => undefined,
      ),
  }
}

function rethrowAsBusy(cause: unknown): never {
  const message = `The image store could not delete an image (${failureReason(cause)}). Purge again when it can.`
  throw new PageError('EBUSY', message, { retryAfterMs: 2_000, cause })
}

type TrackedMethod = 'GET' | 'PUT'
type Method = TrackedMethod | 'DELETE'

interface RequestOptions {
  bytes?: Uint8Array | undefined
  /** For each attempt. Default: 8 seconds, because an image may have 25 MB. */
  timeoutMs?: number
  /** Default: 2. */
  attempts?: number
}

/** Resolves to the body of the response, or to `undefined` when the object does not exist. */
type BucketRequest = (
  method: Method,
  name: string,
  options?: RequestOptions,
) => Promise<Uint8Array<ArrayBuffer> | undefined>

type TrackedRequest = (method: TrackedMethod, name: string, options?: RequestOptions) => ReturnType<BucketRequest>

function createRequest(config: BucketConfig, readCredentials: () => BucketCredentials): BucketRequest {
  const client = createRotatingClient(readCredentials, config.region)

  async function send(method: Method, name: string, { bytes, timeoutMs = 8_000 }: RequestOptions) {
    const response = await client.fetch(`${config.url}/${config.prefix}${name}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(bytes && {
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: { 'x-amz-content-sha256': await hashBytes(bytes) },
      }),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    const { status, ok } = response
    if (ok) return body
    const code = errorCodeIn(body)
    if (method !== 'PUT' && status === 404 && code !== 'NoSuchBucket') return undefined
    throw new BucketError(
      `${method} failed with ${[status, code].filter(Boolean).join(' ')}`,
      bucketFailure(status, code),
    )
  }

  return async (method, name, options = {}) => {
    const { attempts = 2 } = options
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(method, name, options)
      } catch (error) {
        if (attempt >= attempts || isTimeout(error) || failureOf(error) !== 'unreachable') throw error
      }
    }
  }
}

/** Reports when the bucket fails and when it recovers, and throws `EBUSY` while it fails. */
function trackState(
  send: BucketRequest,
  { onFailure, onRecovered }: BucketEvents,
): { request: TrackedRequest; state: () => DependencyState } {
  // A bucket may be full or read-only, so writing is checked too.
  const states: Record<TrackedMethod, DependencyState> = { GET: 'ok', PUT: 'ok' }
  const state = () => (states.PUT === 'ok' ? states.GET : states.PUT)

  function markWorking(method: TrackedMethod) {
    const before = state()
    states[method] = 'ok'
    const other = method === 'GET' ? 'PUT' : 'GET'
    if (states[other] === 'unreachable') states[other] = 'ok'
    if (before !== 'ok' && state() === 'ok') onRecovered()
  }

  function markFailed(method: TrackedMethod, error: Error) {
    const before = state()
    states[method] = failureOf(error)
    const now = state()
    if (now !== before && now !== 'ok') onFailure(now, error)
  }

  const request: TrackedRequest = async (method, name, options) => {
    try {
      const body = await send(method, name, options)
      markWorking(method)
      return body
    } catch (error) {
      if (!(error instanceof Error)) throw error
      markFailed(method, error)
      throw new PageError('EBUSY', 'The image store of this service cannot be used. Try again in a few seconds.', {
        retryAfterMs: 2_000,
        cause: error,
      })
    }
  }
  return { request, state }
}

/** Whether the same bucket may work later. */
const isTemporary = (error: unknown) =>
  isPageError(error) && error.cause instanceof BucketError ? error.cause.failure !== 'rejected' : isNetworkError(error)

const failureOf = (error: unknown): BucketFailure => (error instanceof BucketError ? error.failure : 'unreachable')

/** The code in an XML error response of S3. */
const errorCodeIn = (body: Uint8Array): string | undefined =>
  /<Code>([\w.]{1,60})<\/Code>/.exec(new TextDecoder().decode(body.subarray(0, 4_096)))?.[1]

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
