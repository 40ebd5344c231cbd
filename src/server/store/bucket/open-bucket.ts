import { AwsClient } from 'aws4fetch'
import { canParseUrl } from '../../../query/written-url.js'
import { isPageError } from '../../../query/index.js'
import { readSecret } from '../../../command-line/index.js'
import { busyError } from '../../busy-error.js'
import { failureReason, isNetworkError, type DependencyState } from '../dependencies.js'
import { hashBytes, type ImageName } from '../stored-image.js'

/** What signs requests. */
interface BucketCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}

/** How to access a bucket. */
export interface BucketConfig extends BucketCredentials {
  /** URL of the bucket itself, without trailing slash. */
  url: string
  /** Prefix of every object's name: empty, or a folder with its trailing slash. */
  prefix: string
  region: string
  /** The URL without secrets, for messages. */
  displayUrl: string
}

/** Why a request to a bucket failed: the reasons that operators have to tell apart. */
export type BucketFailure = Exclude<DependencyState, 'ok'>

/**
 * The folders of a bucket, by the days after which a lifecycle rule deletes their objects. An image is in the one whose objects outlive
 * its entry.
 */
export const BUCKET_DAYS = [2, 8, 32] as const
export type BucketDays = (typeof BUCKET_DAYS)[number]

/** Images in an S3 bucket. */
export interface Bucket {
  put(name: ImageName, bytes: Uint8Array, days: BucketDays): Promise<void>
  /** Looks into each folder, the shortest life first. `undefined` when there is no such object, or when its bytes do not match its name. */
  get(name: ImageName): Promise<Uint8Array | undefined>
  /** Deletes an image from all folders; also resolves when it is in none. */
  delete(name: ImageName): Promise<void>
  /** The state that the last request found. */
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

type Environment = Readonly<Record<string, string | undefined>>
type TrackedMethod = 'GET' | 'PUT'
type Method = TrackedMethod | 'DELETE'

interface RequestOptions {
  bytes?: Uint8Array | undefined
  /** The limit of each attempt. Default: 8 seconds, because an image may have 25 MB. */
  timeoutMs?: number
  /** Default: 2. */
  attempts?: number
}

/** Resolves to the body of the response, or to `undefined` when the object does not exist. */
type BucketRequest<Allowed extends Method = Method> = (
  method: Allowed,
  name: string,
  options?: RequestOptions,
) => Promise<Uint8Array<ArrayBuffer> | undefined>

const PARAMETERS = ['region', 'endpoint']
const CHECK_TIMEOUT_MS = 2_000
/** An object that is written and read to check access. */
const PROBE_OBJECT = 'page-preview'
const PROBE_TEXT = 'Page Preview stores images here.\n'
/** S3 responds with 400 to a token that has expired, and 403 to a key that it does not know. */
const REFUSED = [400, 401, 403]
/** Codes of AWS, Ceph and MinIO. */
const FULL = /^(QuotaExceeded|XMinio\w*(Full|QuotaExceeded)|InsufficientCapacity)$/
const THROTTLED = /^(SlowDown|SlowDownRead|SlowDownWrite|TooManyRequests|RequestLimitExceeded)$/

/** An error response of a bucket. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  constructor(
    message: string,
    readonly failure: BucketFailure,
  ) {
    super(message)
  }
}

/**
 * Parses `s3://[key:secret@]bucket[/prefix][?region=…&endpoint=…]`. Requests name the bucket in the path, which every S3
 * server supports.
 *
 * @param env  The standard variables of AWS, for what the URL leaves open: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 *   `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`; the first three also with `_FILE`.
 * @throws     {Error} whose message continues a sentence about the option, and contains no secret.
 */
export function parseBucketUrl(text: string, env: Environment): BucketConfig {
  const url = canParseUrl(text) ? new URL(text) : undefined
  if (url?.protocol !== 's3:' || !/^[a-z\d][\w.-]{1,61}[a-z\d]$/i.test(url.hostname) || url.port)
    throw new Error('must be a URL like s3://bucket/folder?region=eu-central-1')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown) throw new Error(`has the unknown parameter "${unknown}"; supported are ${PARAMETERS.join(' and ')}`)

  const region = url.searchParams.get('region') || env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  const endpoint = readEndpoint(url, env) ?? `https://s3.${region}.amazonaws.com`
  if (!canParseUrl(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Error('needs an absolute http(s) URL as endpoint')
  const folder = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '')
  return {
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/${url.hostname}`,
    prefix: folder && `${folder}/`,
    region,
    ...readCredentials(url, env),
    displayUrl: `s3://${url.hostname}${folder && `/${folder}`} at ${new URL(endpoint).host}`,
  }
}

const readEndpoint = ({ searchParams }: URL, env: Environment): string | undefined =>
  searchParams.get('endpoint') || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || undefined

function readCredentials({ username, password }: URL, env: Environment): BucketCredentials {
  if (username && password)
    return {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
      sessionToken: undefined,
    }
  const accessKeyId = readCredential('AWS_ACCESS_KEY_ID', env)
  const secretAccessKey = readCredential('AWS_SECRET_ACCESS_KEY', env)
  const sessionToken = readCredential('AWS_SESSION_TOKEN', env)
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken }
  throw new Error('needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or key:secret@ before the bucket')
}

function readCredential(variable: string, env: Environment): string | undefined {
  try {
    return readSecret(variable, env)
  } catch (cause) {
    throw new Error(`needs credentials: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Opens a bucket, also while it is unreachable, full or throttled. Every method rejects with a `PageError` `EBUSY` when the
 * bucket fails; its cause explains why.
 *
 * @param readConfig  Called at once, and its errors are thrown; called again when the bucket refuses the credentials.
 * @throws  Error with a sentence for the operator when the bucket does not exist or cannot be written.
 */
export async function openBucket(readConfig: () => BucketConfig, events: BucketEvents): Promise<Bucket> {
  const config = readConfig()
  const send = createRequest(config, createRotatingClient(readConfig, config.region))
  const { request, state } = trackState(send, events)
  const bucket: Bucket = {
    put: async (name, bytes, days) => void (await request('PUT', objectName(name, days), { bytes })),
    async get(name) {
      for (const days of BUCKET_DAYS) {
        const bytes = await request('GET', objectName(name, days))
        if (bytes && name.startsWith(await hashBytes(bytes))) return bytes
      }
      return undefined
    },
    async delete(name) {
      // A bucket may be readable and writable without the permission to delete.
      for (const days of BUCKET_DAYS) await send('DELETE', objectName(name, days)).catch(rethrowAsBusy)
    },
    state,
    check: () =>
      request('GET', PROBE_OBJECT, { timeoutMs: CHECK_TIMEOUT_MS, attempts: 1 }).then(
        () => undefined,
        () => undefined,
      ),
  }
  try {
    const bytes = new TextEncoder().encode(PROBE_TEXT)
    await request('PUT', PROBE_OBJECT, { bytes, timeoutMs: CHECK_TIMEOUT_MS, attempts: 1 })
    return bucket
  } catch (error) {
    if (isTemporary(error)) return bucket
    throw new Error(
      `The bucket ${config.displayUrl} cannot be used (${failureReason(error)}); check --s3, its credentials, and that they may read and write.`,
      { cause: error },
    )
  }
}

const objectName = (name: ImageName, days: BucketDays) => `${days}-days/${name}`

function rethrowAsBusy(cause: unknown): never {
  throw busyError(
    `The purge is incomplete, because the image store could not delete an image (${failureReason(cause)})`,
    { cause },
  )
}

/** Whether the same bucket may work later. */
const isTemporary = (error: unknown) =>
  isPageError(error) && error.cause instanceof BucketError ? !isRejected(error) : isNetworkError(error)

/** Whether the bucket responded that it does not accept the request, with an error of one of its methods. */
export const isRejected = (error: unknown): boolean =>
  isPageError(error) && error.cause instanceof BucketError && error.cause.failure === 'rejected'

/** Reports when the bucket fails and when it recovers, and throws `EBUSY` while it fails. */
function trackState(
  send: BucketRequest,
  { onFailure, onRecovered }: BucketEvents,
): { request: BucketRequest<TrackedMethod>; state: () => DependencyState } {
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

  return {
    state,
    async request(method, name, options) {
      try {
        const body = await send(method, name, options)
        markWorking(method)
        return body
      } catch (error) {
        if (!(error instanceof Error)) throw error
        markFailed(method, error)
        throw busyError('The image store of this service cannot be used', { cause: error })
      }
    },
  }
}

function createRequest(config: BucketConfig, client: Pick<AwsClient, 'fetch'>): BucketRequest {
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

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

const failureOf = (error: unknown): BucketFailure => (error instanceof BucketError ? error.failure : 'unreachable')

/** The code in an XML error response of S3. */
const errorCodeIn = (body: Uint8Array): string | undefined =>
  /<Code>([\w.]{1,60})<\/Code>/.exec(new TextDecoder().decode(body.subarray(0, 4_096)))?.[1]

/**
 * What an error response of a bucket means.
 *
 * @param code  The code in the XML of the response.
 */
export function bucketFailure(status: number, code = ''): BucketFailure {
  if (status === 507 || FULL.test(code)) return 'full'
  if (status === 429 || THROTTLED.test(code)) return 'throttled'
  return status >= 500 ? 'unreachable' : 'rejected'
}

/**
 * Signs requests, and reads the credentials again when they are refused: if they have changed, the request is repeated
 * once with the new ones.
 *
 * @param read  Called at once, and its errors are thrown; called again after each refusal, and its errors are ignored.
 */
export function createRotatingClient(read: () => BucketCredentials, region: string): Pick<AwsClient, 'fetch'> {
  let credentials = read()
  let client = clientOf(credentials, region)

  const hasNewCredentials = () => {
    const latest = readIfPossible(read) ?? credentials
    if (isEqual(latest, credentials)) return false
    credentials = latest
    client = clientOf(credentials, region)
    return true
  }

  return {
    async fetch(input, init) {
      const used = client
      const response = await used.fetch(input, init)
      if (!REFUSED.includes(response.status)) return response
      // Another request may have found the new ones in the meantime.
      const hasChanged = client !== used || hasNewCredentials()
      return hasChanged ? client.fetch(input, init) : response
    },
  }
}

const clientOf = ({ accessKeyId, secretAccessKey, sessionToken }: BucketCredentials, region: string) =>
  new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    region,
    service: 's3',
    retries: 0,
  })

const isEqual = (one: BucketCredentials, other: BucketCredentials) =>
  one.accessKeyId === other.accessKeyId &&
  one.secretAccessKey === other.secretAccessKey &&
  one.sessionToken === other.sessionToken

function readIfPossible(read: () => BucketCredentials): BucketCredentials | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
