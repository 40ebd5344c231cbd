import type { CacheInfo, PageResult, RateLimit } from '../client/index.js'
import { completeUrl } from '../query/written-url.js'
import { DAY_MS, errorHelp } from '../query/help/index.js'
import {
  errorCodes,
  isPageError,
  PageError,
  parseQuery,
  type ErrorCode,
  type Media,
  type PageData,
  type PageQuery,
  type Screenshot,
} from '../query/index.js'
import { drawFakeImage, fakeImageName } from './fake-image.js'

/** The result for a page: a part of its data, and of what comes with it. The rest has defaults. */
export interface FakePage
  extends
    Omit<PageData, 'screenshot' | 'image' | 'logo'>,
    Partial<Pick<PageResult, 'statusCode' | 'headers' | 'redirects' | 'warnings'>> {
  /** Sent if it is requested. Default: `true`, an image of 2560 × 1600; without one, if the page has a `state`. */
  screenshot?: boolean | Partial<Screenshot> | null
  /** `true` or dimensions without a `url`: an image is drawn. Default: none. */
  image?: boolean | Partial<Media> | null
  /** As `image`. */
  logo?: boolean | Partial<Media> | null
  /** Default: `HIT`, produced just now. With `STALE`, 25 hours ago. */
  cache?: Partial<CacheInfo>
  /** Default: none, as on the pro host. */
  rateLimit?: RateLimit
  /** Milliseconds until the service responds. Default 0. */
  delayMs?: number
}

/** Codes that a response can have; `EFATALCLIENT` stands for no response at all, as without a network. */
type FakeErrorCode = Exclude<ErrorCode, 'EABORTED' | 'ETIMEOUTCLIENT'>

type Settled = FakePage | FakeErrorCode | Error | Response

/**
 * What the service responds.
 *
 * - an object: the result for a page;
 * - an error code, with its sentence from the table of codes, or a `PageError` with your own message, status and data;
 * - a number: the default page after this many milliseconds;
 * - a promise: what it resolves to, or else the default page, `new Promise(() => {})` never;
 * - any other `Error`: the request fails with it;
 * - a `Response`: as it is.
 */
export type FakeResponse = Settled | number | Promise<Settled | undefined | void>

/** One response; several for one request after the other, the last one from then on; or a function of the request. */
export type FakeResponses = FakeResponse | readonly FakeResponse[] | ((request: FakeRequest) => FakeResponse)

/** Responses by URL of the page; `'*'` is for any other page. */
export type FakePages = Readonly<Record<string, FakeResponses>>

/** A request that the service has received. */
export interface FakeRequest {
  /** Its parameters in canonical form; `query.url` is the page. */
  query: PageQuery
  /** Its own URL; one without a host is taken as of this page, or else of `http://localhost`. */
  url: URL
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Aborts when nobody waits for the response any more. */
  signal: AbortSignal | undefined
}

export interface FakeServiceOptions {
  /**
   * Where drawn images are: in the result itself, as data URLs, which every `<img>` shows; or at `/images/…` of the service, for
   * where the requests of images reach it, such as Playwright, MSW or a route of an app.
   *
   * @default 'inline'
   */
  images?: 'inline' | 'served'
}

/** A service in place of the network. It is a `fetch`, so it is passed to a provider or a client as it is. */
export interface FakeService {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The requests for results so far, in their order. */
  readonly requests: readonly FakeRequest[]
  /** Replaces what the service responds for the page; `'*'` stands for any other page. */
  set(url: string, responses: FakeResponses): void
  /** Responds to requests of a page that Playwright controls: `page.route(pattern, service.route)`. */
  readonly route: (route: PlaywrightRoute) => Promise<void>
}

/** What is used of a `Route` of Playwright. */
export interface PlaywrightRoute {
  request(): { url(): string; headers(): Record<string, string> }
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>
  abort(): Promise<void>
}

/** The responses for one page, and how many of them were sent. */
interface FakeEntry {
  responses: readonly FakeResponse[] | ((request: FakeRequest) => FakeResponse)
  /** When the first result was produced, milliseconds since 1970; each further one a millisecond later. */
  producedAt: number
  sent: number
}

/**
 * A preview service for tests and stories: the responses of a real one, without a network, a server or a browser.
 *
 * @param pages  By URL. Default: any URL has a page.
 * @returns      A `fetch`. A URL without a response fails with `ENOTFOUND`, whose message lists the others.
 * @example
 * const service = createFakeService({
 *   'https://a.example': { title: 'Tide tables', screenshot: true },
 *   'https://b.example': 'EUNREACHABLE',
 *   'https://c.example': 3_000,
 * })
 * render(<PagePreviewProvider fetch={service}>…</PagePreviewProvider>)
 */
export function createFakeService(pages: FakePages = { '*': {} }, options: FakeServiceOptions = {}): FakeService {
  const entries = new Map<string, FakeEntry>()
  const requests: FakeRequest[] = []
  let latest = 0

  function set(url: string, responses: FakeResponses): void {
    const list = typeof responses === 'function' || isList(responses) ? responses : [responses]
    const producedAt = Math.max(Date.now(), latest + 1)
    latest = producedAt + (typeof list === 'function' ? 0 : list.length)
    entries.set(pageKey(url), { responses: list, producedAt, sent: 0 })
  }

  async function service(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const isRequest = typeof input === 'object' && 'headers' in input
    const request = isRequest ? input : undefined
    const url = new URL(isRequest ? input.url : input, baseUrl())
    const signal = init?.signal ?? request?.signal
    const headers = Object.fromEntries(new Headers(init?.headers ?? request?.headers))
    try {
      return await respond(url, { signal: signal ?? undefined, headers })
    } catch (error) {
      if (!isPageError(error)) throw error
      return errorResponse(error)
    }
  }

  async function respond(url: URL, { signal, headers }: Pick<FakeRequest, 'signal' | 'headers'>): Promise<Response> {
    const [, imageName] = IMAGE_PATH.exec(url.pathname) ?? []
    if (imageName) return imageResponse(imageName, Number(url.searchParams.get('w')) || undefined)

    // A list has no parameters, and a service may be mounted at such a path.
    if (url.pathname.endsWith('/previews') && !url.search)
      throw new PageError('ENOTFOUND', 'There are no lists here: createBatchFetch sends each request by itself then.')
    const { query } = parseQuery(url)
    const request: FakeRequest = { query, url, headers, signal }
    const entry = entries.get(pageKey(query.url)) ?? entries.get('*')
    if (!entry) throw unknownPage(query.url, entries)
    // An image belongs to the result that was sent last, so it is no step further.
    const index = query.embed ? Math.max(0, entry.sent - 1) : entry.sent++
    if (!query.embed) requests.push(request)
    const { responses } = entry
    const position = typeof responses === 'function' ? 0 : Math.min(index, responses.length - 1)
    const chosen = typeof responses === 'function' ? responses(request) : responses[position]!
    const response = await untilReady(chosen, signal)
    if (isResponse(response)) return response.clone()
    const result = createResult(response, request, { producedAt: entry.producedAt + position, ...options })
    return query.embed ? embedResponse(result.data, query) : resultResponse(result)
  }

  async function route(route: PlaywrightRoute): Promise<void> {
    const request = route.request()
    const response = await service(request.url(), { headers: request.headers() }).catch(() => undefined)
    if (!response) return route.abort()
    // The service may have another origin than the page.
    const headers = { 'access-control-allow-origin': '*', ...Object.fromEntries(response.headers) }
    await route.fulfill({ status: response.status, headers, body: await response.text() })
  }

  for (const [url, responses] of Object.entries(pages)) set(url, responses)
  return Object.assign(service, { requests, set, route })
}

const IMAGE_PATH = /\/images\/([\da-f]{64})\.\w+$/

const isList = (responses: FakeResponses): responses is readonly FakeResponse[] => Array.isArray(responses)

/** A test environment may have its own class of responses. */
const isResponse = (value: object): value is Response => 'clone' in value

/** Of URLs without a host; outside of browsers, and on `about:blank`, a page has none. */
function baseUrl(): string {
  const { href = '' } = (globalThis as { location?: { href: string } }).location ?? {}
  return /^https?:/.test(href) ? href : 'http://localhost'
}

/** One key for all spellings of a URL; fragments select a part of a page, not another one. */
function pageKey(url: string): string {
  if (url === '*') return url
  const { href } = new URL(completeUrl(url))
  return href.replace(/#.*/, '')
}

function unknownPage(url: string, entries: ReadonlyMap<string, FakeEntry>): PageError {
  const known = entries.size ? `only for ${[...entries.keys()].join(', ')}` : 'nor for any other page'
  const advice = "Add it to the pages of createFakeService, or '*' for any other page."
  return new PageError('ENOTFOUND', `The fake service has no response for ${url}, ${known}. ${advice}`)
}

/**
 * Waits for a delayed response.
 *
 * @throws  What the response is, if it is an error, and the reason of an aborted request.
 */
async function untilReady(response: FakeResponse, signal: AbortSignal | undefined): Promise<FakePage | Response> {
  const aborted = rejectionOnAbort(signal)
  const awaited = response instanceof Promise ? ((await Promise.race([response, aborted])) ?? {}) : response
  const settled = typeof awaited === 'number' ? { delayMs: awaited } : awaited
  if (typeof settled === 'string') throw errorOf(settled)
  if (settled instanceof Error) throw settled
  if (!isResponse(settled) && settled.delayMs)
    await Promise.race([new Promise((resolve) => setTimeout(resolve, settled.delayMs)), aborted])
  return settled
}

function rejectionOnAbort(signal: AbortSignal | undefined): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    const abort = () => reject(signal?.reason ?? new DOMException('The request was aborted.', 'AbortError'))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
  rejection.catch(() => {})
  return rejection
}

const errorOf = (code: FakeErrorCode): Error =>
  code === 'EFATALCLIENT' ? new TypeError('Failed to fetch') : new PageError(code, errorHelp[code])

function createResult(
  page: FakePage,
  { query, url }: FakeRequest,
  { images, producedAt }: FakeServiceOptions & { producedAt: number },
): PageResult {
  const { screenshot, image, logo, cache, rateLimit, delayMs: _, ...rest } = page
  const { statusCode = 200, headers = {}, redirects = [], warnings, ...data } = rest
  const status = cache?.status ?? 'HIT'
  const ageMs = cache?.ageMs ?? (status === 'STALE' ? STALE_AGE_MS : 0)
  const timestamp = cache?.timestamp ?? producedAt - ageMs
  const origin = images === 'served' ? `${url.origin}${url.pathname === '/' ? '' : url.pathname}` : undefined
  const draw = (name: string, media: boolean | Partial<Media> | null | undefined, width: number, height: number) =>
    mediaOf(media, { seed: `${query.url} ${data.title} ${name}`, width, height, origin })
  return {
    status: 'success',
    data: {
      title: new URL(query.url).host,
      description: null,
      lang: null,
      author: null,
      publisher: null,
      date: null,
      url: query.url,
      image: draw('image', image, 1200, 630),
      logo: draw('logo', logo, 64, 64),
      audio: null,
      video: null,
      ...data,
      ...(isScreenshotRequested(query) && {
        screenshot: draw('screenshot', screenshot === undefined ? !data.state : screenshot, 2560, 1600) as Screenshot,
      }),
    },
    statusCode,
    headers,
    redirects,
    ...(warnings && { warnings }),
    cache: { status, ttlMs: DAY_MS, ...cache, ageMs, timestamp },
    rateLimit,
  }
}

const isScreenshotRequested = ({ screenshot, embed }: PageQuery) => screenshot || String(embed).startsWith('screenshot')

const STALE_AGE_MS = 25 * 3_600_000

interface DrawnImage {
  seed: string
  width: number
  height: number
  /** Of the service that has the image; `undefined` for a data URL. */
  origin: string | undefined
}

/** The image with all its fields, drawn unless it has a URL. */
function mediaOf(media: boolean | Partial<Media> | null | undefined, drawn: DrawnImage): Media | null {
  if (!media) return null
  const own = media === true ? {} : media
  const { url, width = drawn.width, height = drawn.height } = own
  const name = fakeImageName(drawn.seed, { width: width ?? drawn.width, height: height ?? drawn.height })
  const { svg, background } = drawFakeImage(name)
  return {
    url: url ?? (drawn.origin ? `${drawn.origin}/images/${name}.png` : `data:image/svg+xml,${encodeURIComponent(svg)}`),
    width,
    height,
    type: 'png',
    size: svg.length,
    size_pretty: `${svg.length} B`,
    ...(drawn.seed.endsWith('screenshot') && { background_color: background }),
    ...own,
  }
}

function resultResponse({ cache, rateLimit, ...body }: PageResult): Response {
  return jsonResponse(body, 200, {
    'x-cache-status': cache.status,
    'x-timestamp': cache.timestamp,
    'x-cache-ttl': cache.ttlMs,
    age: cache.ageMs && Math.round(cache.ageMs / 1_000),
    'x-rate-limit-limit': rateLimit?.limit,
    'x-rate-limit-remaining': rateLimit?.remaining,
    'x-rate-limit-reset': rateLimit?.reset,
  })
}

function errorResponse({ code, message, status, data, retryAfterMs }: PageError): Response {
  const httpStatus = status || errorCodes.EFATAL
  return jsonResponse({ status: httpStatus < 500 ? 'fail' : 'error', code, message, data }, httpStatus, {
    'retry-after': retryAfterMs && Math.ceil(retryAfterMs / 1_000),
  })
}

function jsonResponse(body: unknown, status: number, headers: Record<string, string | number | undefined>): Response {
  const present = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) present.set(name, String(value))
  return new Response(JSON.stringify(body), { status, headers: present })
}

/** @throws  {PageError} `ENOEMBED` */
function embedResponse(data: PageData, { embed, variant, url }: PageQuery): Response {
  if (embed === 'html') return textResponse(`<!doctype html><a href="${encodeURI(url)}">Preview</a>`, 'text/html')
  const path = embed === true ? (data.screenshot ? 'screenshot' : 'image') : String(embed)
  const [field = '', ...keys] = path.split('.')
  const media = (data as Readonly<Record<string, unknown>>)[field]
  const isImage = ['screenshot', 'image', 'logo'].includes(field) && [undefined, 'url'].includes(keys[0])
  if (isImage && media) {
    const { width, height } = media as Media
    const name = fakeImageName(url + field, { width: width ?? 1280, height: height ?? 800 })
    return imageResponse(IMAGE_PATH.exec((media as Media).url)?.[1] ?? name, variant?.width)
  }
  const value = keys.reduce((object, key) => (object as Readonly<Record<string, unknown>> | undefined)?.[key], media)
  if (value === undefined || value === null) throw new PageError('ENOEMBED', errorHelp.ENOEMBED)
  return typeof value === 'string' ? textResponse(value, 'text/plain') : jsonResponse(value, 200, {})
}

const textResponse = (text: string, type: string): Response =>
  new Response(text, { headers: { 'content-type': `${type}; charset=utf-8` } })

function imageResponse(name: string, maxWidth: number | undefined): Response {
  const { svg, width, height } = drawFakeImage(name, maxWidth)
  const details = { width, height, size: svg.length }
  const headers = Object.entries(details).map(([detail, value]): [string, string] => [`x-image-${detail}`, `${value}`])
  return new Response(svg, { headers: [['content-type', 'image/svg+xml'], ...headers] })
}
