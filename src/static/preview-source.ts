import { parseResponse, requestPage, retryDelayMs, sendRequest, type CacheInfo } from '../client/request.js'
import { errorCauses } from '../query/help/index.js'
import {
  fields,
  isPageError,
  PageError,
  parseQuery,
  requestUrl,
  type Duration,
  type Endpoint,
  type PageQuery,
  type PageResponse,
  type ParsedQuery,
} from '../query/index.js'
import { serveOptions } from '../server/commands/index.js'
import type { Service, ServiceOptions } from '../server/index.js'
import { assertBrowserExists, detectImageFormat, loadOnce, openImages } from '../server/static-tools.js'
import { parseJson } from './json.js'
import { startRemoteJob, type JobResult } from './remote-job.js'

/** The parameters of a request by name. */
type SourceQuery = PageQuery | Readonly<Record<string, unknown>>

/** The fields of `data` that are images. */
export type ImageField = 'screenshot' | 'image' | 'logo'

/** One of the tiles of the screenshot, by its number. */
export type TileField = `screenshot.tiles.${number}`

export type VariantType = (typeof fields)['variant.type']['values'][number]

/** The variant of an image; default: the image as it is. */
export type Variant = NonNullable<PageQuery['variant']>

export interface SourcePage extends Pick<PageResponse, 'data' | 'statusCode' | 'redirects'> {
  /** Milliseconds since 1970. */
  producedAt: number
  cacheStatus: string
  warnings: string[]
}

export interface SourceImage {
  bytes: Uint8Array
  type: VariantType | 'gif' | 'ico' | 'bmp'
  /** Pixels; `undefined` if the service does not know them. */
  width: number | undefined
  height: number | undefined
}

/** Where results and images come from: a service in this process, or a running one. */
export interface PreviewSource {
  /**
   * The result for a query; parameters of delivery but `force` and `timeout` are ignored.
   *
   * @param variant  With `tiles`, the result lists those of this variant.
   * @throws  {PageError} as the service responds; `EFATALCLIENT` when a running service does not respond as one; the reason of
   *          `signal` when that aborts.
   */
  page(query: SourceQuery, signal: AbortSignal, variant?: Variant): Promise<SourcePage>
  /**
   * The results for many pages with the same parameters, as `page` returns them, from a job of the running service.
   *
   * @param query  Without `url`.
   * @returns      The results in parts, each with its place in the list; `undefined` without a running service that has jobs for this
   *               query.
   * @throws       {PageError} as the service responds; the reason of `signal`, and then the job is cancelled.
   */
  pages?(
    urls: readonly string[],
    query: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<{ number: number; page: () => SourcePage }[]> | undefined>
  /**
   * The bytes of an image of the result for the same query. Images are never enlarged, and animations and icons have no variants.
   *
   * @throws  {PageError} as `page` does; `ENOEMBED` when the result has no such image, or only a document, such as SVG.
   */
  image(query: SourceQuery, field: ImageField | TileField, variant: Variant, signal: AbortSignal): Promise<SourceImage>
  /**
   * An image of the result in several widths and types, in their order, each at most as wide as it is. Images that have no
   * variants, such as animations, are delivered as they are, once.
   *
   * @throws  {PageError} as `image` does; `ENOEMBED` too when it cannot be decoded.
   */
  variants(
    query: SourceQuery,
    field: ImageField,
    variants: readonly { width: number; type?: VariantType | undefined }[],
    signal: AbortSignal,
  ): Promise<SourceImage[]>
  /**
   * The share of pixels by which two images differ visibly, from 0 to 1.
   *
   * @throws  {Error} when one of them cannot be decoded; the reason of `signal` when that aborts.
   */
  compareImages(bytes: Uint8Array, other: Uint8Array, signal: AbortSignal): Promise<number>
  /** Ends the browser, when there is one. */
  close(): Promise<void>
}

/** Options of the service in this process, and of a running one in its place. */
export interface PreviewSourceOptions extends Pick<
  ServiceOptions,
  'allowTargets' | 'allowUnsandboxed' | 'browser' | 'browserMirror' | 'browserUser' | 'concurrency' | 'log'
> {
  /** URL of a running service. Default: a service in this process, which starts with the first request. */
  endpoint?: Endpoint | undefined
  /** Key of that service, for its pro host: of `{ free, pro }`, that one is used then. */
  apiKey?: string | undefined
  /** Replaces requests to the running service. Default: the global one. */
  fetch?: typeof fetch | undefined
}

/** What the users of the tools do not set. */
export interface SourceSettings {
  /** How old a cached result may be. Default: 31 days, so that a run finds the results of the one before. */
  ttl?: Duration
  /** How often a request to a busy service is repeated. Default: 4 times, with pauses of up to a minute. */
  retries?: number
}

/** Pages that are captured at the same time: as many as the service captures. */
export const DEFAULT_CONCURRENCY = serveOptions.concurrency.default

/** Where the service in this process is reached; never resolved. */
const LOCAL_URL = 'http://page-preview.invalid'
/** No image may expire between the result that names it and its own request. */
const TTL: Duration = '31d'
/** The limit of one attempt: slightly more than the limit of a service, which responds within 28 seconds. */
const TIMEOUT_MS = 35_000
/** A run waits longer for a busy service than a visitor would. */
const RETRIES = 4
const MAX_RETRY_AFTER_MS = 60_000
/** How long a request waits for a busy service, all its pauses together. */
export const MAX_BUSY_MS = RETRIES * MAX_RETRY_AFTER_MS

/** Opens a source of results and images. Nothing starts before the first request. */
export function openPreviewSource(
  { endpoint, apiKey, fetch, ...options }: PreviewSourceOptions = {},
  { ttl = TTL, retries = RETRIES }: SourceSettings = {},
): PreviewSource {
  const service = startOnDemand(() => startService(options))
  const images = startOnDemand(() => openImages(options))
  const plan = endpoint && apiKey ? 'pro' : 'free'

  const requestOf = (parsed: ParsedQuery) => ({
    url: requestUrl(parsed, endpoint ?? LOCAL_URL, plan),
    // The key of a running service is a header, so that it is in no URL.
    apiKey: endpoint && apiKey,
    warnings: parsed.warnings,
  })
  const optionsOf = async (signal: AbortSignal) => ({
    retry: retries,
    retryDelay,
    signal,
    headers: { accept: 'application/json, image/*' },
    timeout: TIMEOUT_MS,
    fetch: endpoint ? withLimits(fetch) : fetchFrom(await service.start()),
  })
  const withoutDelivery = (query: SourceQuery): ParsedQuery =>
    parseQuery(query)
      .withoutApiKey()
      .with({ embed: undefined, filter: undefined, variant: undefined, ttl, staleTtl: undefined })
  const image: PreviewSource['image'] = async (query, field, variant, signal) => {
    const parsed = withoutDelivery(query).with({ force: undefined, embed: `${field}.url`, variant })
    return withOwnErrors(sendRequest(requestOf(parsed), await optionsOf(signal), readImage), signal)
  }
  return {
    async page(query, signal, variant) {
      const request = requestOf(withoutDelivery(query).with({ variant }))
      const page = await withOwnErrors(requestPage(request, await optionsOf(signal)), signal)
      return toSourcePage(page, page.cache)
    },
    async pages(urls, query, signal) {
      // Headers may be credentials, which a job does not store.
      if (typeof endpoint !== 'string' || !apiKey || query.headers !== undefined) return undefined
      const { url: _, ...parameters } = withoutDelivery({ ...query, url: LOCAL_URL }).query
      const results = await startRemoteJob(urls, parameters, { endpoint, apiKey, fetch, signal })
      return results && toSourcePages(results)
    },
    image,
    async variants(query, field, variants, signal) {
      const whole = await image(query, field, {}, signal)
      const { bytes, type: ownType } = whole
      if (!hasVariants(ownType)) return [whole]
      const conversions = variants.map(({ width, type = ownType }) => ({ width, type, isOwnType: type === ownType }))
      const decoder = await images.start()
      const converted = await decoder.convertVariants(bytes, conversions, { signal }).catch((cause: unknown) => {
        signal.throwIfAborted()
        if (isPageError(cause)) throw cause
        throw noImageError('The image cannot be decoded.', 'cannot be decoded', cause)
      })
      if (converted.every((variant) => !variant)) return [whole]
      return converted.map((variant, index) => (variant ? { ...variant, type: conversions[index]!.type } : whole))
    },
    async compareImages(bytes, other, signal) {
      return (await images.start()).compareImages(bytes, other, { signal })
    },
    async close() {
      await Promise.all([service.close(), images.close()])
    },
  }
}

async function* toSourcePages(parts: AsyncGenerator<JobResult[]>) {
  for await (const part of parts) yield part.map(({ number, page }) => ({ number, page: () => toSourcePage(page()) }))
}

/** @param cache  From the headers of the response; results of a job have none. */
const toSourcePage = (
  { data, statusCode, redirects, warnings = [] }: PageResponse,
  { timestamp, status }: Partial<CacheInfo> = {},
): SourcePage => ({
  data,
  statusCode,
  redirects: Array.isArray(redirects) ? redirects : [],
  producedAt: timestamp || Date.now(),
  cacheStatus: status ?? 'MISS',
  warnings: [...new Set(warnings.map(String))],
})

/** Replaces the error of an aborted request by the reason, and an error that quotes a request, whose headers may be credentials. */
const withOwnErrors = <Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  result.catch((error: unknown) => {
    signal.throwIfAborted()
    if (!isPageError(error) || error.code !== 'EFATALCLIENT' || error.status === 0) throw error
    const { status } = error
    const message = `The response (HTTP ${status}) is not from a preview service. Check the URL of the service.`
    throw new PageError('EFATALCLIENT', message, { status })
  })

/** Starts something when it is first needed; after a failure the next call tries again. */
function startOnDemand<Started extends { close(): Promise<void> }>(start: () => Promise<Started>) {
  let starting: Promise<Started> | undefined
  return {
    start: loadOnce(() => (starting = start())),
    async close() {
      const started = await starting?.catch(() => undefined)
      await started?.close()
    },
  }
}

/** The user of this process has no daily limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/** Callers limit themselves, and their requests share one queue. */
const QUEUE = 1_000

/**
 * Starts a service in this process, with a temporary data folder.
 *
 * @throws  Error with the reason when it cannot start.
 */
async function startService(options: ServiceOptions): Promise<Service> {
  // Loaded when it is needed, because a run that has everything in its cache is then several times as fast.
  const { createService } = await import('../server/index.js')
  await assertBrowserExists(options.browser)
  const service = createService({
    ...options,
    maxQueue: QUEUE,
    freeDailyLimit: NO_LIMIT,
    freeHistory: true,
    noBrowserUpdate: true,
  })
  try {
    await service.ready()
  } catch (error) {
    await service.close()
    throw error
  }
  return service
}

const fetchFrom =
  (service: Service): typeof fetch =>
  (url, init) =>
    service.fetch(new Request(url, { signal: init?.signal ?? null }))

/** A failure that concerns the page is not repeated, because services cache it. */
function retryDelay({ code, status, retryAfterMs }: PageError, attempt: number): number | undefined {
  const isAbsent = code === 'EFATALCLIENT' && (status === 0 || status === 502 || status === 503)
  const isBusy = (status === 429 || status === 503) && retryAfterMs !== undefined
  const waitMs = retryAfterMs ?? 0
  if (!(isAbsent || isBusy) || waitMs > MAX_RETRY_AFTER_MS) return undefined
  return waitMs + (retryDelayMs(attempt) ?? 0)
}

/** Larger than every image that a service delivers, and so than every image file of a site or of the cache. */
export const MAX_IMAGE_BYTES = 40_000_000
const MAX_RESULT_BYTES = 5_000_000
const MAX_ERROR_BYTES = 100_000

/** Reads the bodies of a running service within the time limit of their request, and up to a limit of bytes. */
const withLimits =
  (send = globalThis.fetch): typeof fetch =>
  async (url, init) => {
    const response = await send(url, init)
    return new Response(await readBody(response), response)
  }

/** @throws  {PageError} `ETOOLARGE`; of an error, the rest is not read. */
async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const maxBytes = response.ok ? (isImage(response) ? MAX_IMAGE_BYTES : MAX_RESULT_BYTES) : MAX_ERROR_BYTES
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes && response.ok)
      throw new PageError('ETOOLARGE', `The response of the service is larger than ${maxBytes} bytes.`)
    if (size > maxBytes) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const isImage = ({ headers }: Response) => headers.get('content-type')?.trim().toLowerCase().startsWith('image/')

/**
 * Reads an embedded image. Its bytes decide on its type, because the file is named by it and may be opened by itself: SVG and
 * HTML would be documents, whose scripts run in the origin of the site that has the file.
 *
 * @throws  {PageError} the error that the response states; `ENOEMBED` when it is not an image, or another type such as SVG.
 */
async function readImage(response: Response): Promise<SourceImage> {
  if (!response.ok) parseResponse(response, parseJson(await response.text()))
  if (!isImage(response) || response.headers.has('x-image-source')) {
    await response.body?.cancel()
    throw noImageError('The result does not have the requested image.', 'missing')
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = await detectType(bytes)
  if (!type)
    throw noImageError('The image is an SVG, or has another type that is not written to files.', 'of another type')
  const pixels = (header: string) => Number(response.headers.get(header)) || undefined
  return { bytes, type, width: pixels('x-image-width'), height: pixels('x-image-height') }
}

const noImageError = (message: string, reason: string, cause?: unknown) =>
  new PageError('ENOEMBED', message, { data: { embed: reason }, ...(cause !== undefined && { cause }) })

async function detectType(bytes: Uint8Array): Promise<SourceImage['type'] | undefined> {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (start === '\0\0\x01\0') return 'ico'
  return start.startsWith('BM') ? 'bmp' : detectImageFormat(bytes)
}

const TYPES: readonly string[] = fields['variant.type'].values

/** Whether images of a file type have variants; the others, such as animations, are delivered as they are. */
export const hasVariants = (type: string): type is VariantType => TYPES.includes(type)

/** Whether an error concerns the service, or the access to it, rather than the page that was requested. */
export const isServiceFailure = (error: unknown): boolean =>
  !isPageError(error) || errorCauses[error.code] === 'service'
