// What a front and a worker send each other. Both sides accept the version before and after their own: a message may have fields that
// its reader does not know, and the reader has a default for each field that an earlier version does not send.
import { createHmac } from 'node:crypto'
import { parseHostList, type HostList } from '../../query/help/index.js'
import { errorCodes, isPageError, PageError, parseQuery, type ErrorCode } from '../../query/index.js'
import { MAX_BLOCKS } from '../browser/index.js'
import { BACKGROUND, type Waiter } from '../budget/index.js'
import {
  MAX_EXPLAINED_CHARS,
  MAX_EXPLAINED_VALUES,
  MAX_LAYERS,
  MAX_LISTED_URLS,
  MAX_REASONS,
  MAX_REQUESTS,
} from '../explainer.js'
import { hostnameOf } from '../hostnames.js'
import { detectImageFormat } from '../images/index.js'
import { isDueToPage, TransientError, wasNotStarted } from '../jobs/index.js'
import { pageStates } from '../page-state/index.js'
import type { ExtractionScope } from '../request-scope.js'
import type { Extraction } from '../results/index.js'
import type { Subject } from '../store/index.js'

/** Raised by a change that a reader of the version before would misunderstand. */
export const VERSION = 1

export const CAPTURES_PATH = '/captures'
/** One line of JSON, and after it the bytes of the screenshot. */
export const CAPTURE_TYPE = 'application/vnd.page-preview.capture'
export const JSON_TYPE = 'application/json'
/** A query has at most 64 kB, and may be percent-encoded. */
export const MAX_REQUEST_BYTES = 262_144
/** Of the line of JSON: the headers of a page, with their 256 kB, are the largest part of it. */
const MAX_LINE_BYTES = 2_000_000
const MAX_IMAGE_BYTES = 64_000_000
export const MAX_RESPONSE_BYTES = MAX_LINE_BYTES + MAX_IMAGE_BYTES
/** A twin runs ahead by a day. */
const MAX_CLOCK_AHEAD_MS = 7 * 86_400_000
/** As long as any description that a page states. */
const MAX_TEXT_CHARS = 2_000
const MAX_FAILURE_BYTES = 16_384

/** In which order a balancer lets captures start: `background` is for results that no caller waits for. */
export type CaptureClass = 'pro' | 'free' | 'background'

/** A message that its reader does not accept. The message completes a sentence that begins with who has sent it. */
export class InvalidMessageError extends Error {
  override readonly name = 'InvalidMessageError'
}

/** Who waits for a capture, as far as its place in a queue depends on it. */
export function captureClassOf({ client, hasPriority = false }: Waiter): CaptureClass {
  if (client === BACKGROUND) return 'background'
  return hasPriority ? 'pro' : 'free'
}

/**
 * The request for a capture. What delivers a result to its caller stays here, such as its signature; the other headers in the query are
 * sent to the page.
 *
 * @param waiter  The client that the capture counts for.
 */
export function encodeRequest(
  { parsed, query, timeoutMs, allowedHosts, clockAheadMs }: ExtractionScope,
  waiter: Waiter,
  secret: string,
): { headers: Record<string, string>; body: string } {
  const hash = (kind: string, name: string) =>
    createHmac('sha256', secret).update(`${kind} ${name}`).digest('base64url')
  return {
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': JSON_TYPE,
      'x-client': hash('client', waiter.client),
      'x-target': hash('host', hostnameOf(new URL(query.url))),
      'x-class': captureClassOf(waiter),
    },
    body: JSON.stringify({
      version: VERSION,
      query: parsed.cacheKey,
      allowHosts: allowedHosts?.text,
      timeoutMs,
      clockAheadMs,
    }),
  }
}

/**
 * What a worker extracts for a front.
 *
 * @throws  {InvalidMessageError} for what a front does not send.
 * @throws  {PageError} for an invalid query.
 */
export function decodeRequest(text: string, headers: Headers): Omit<ExtractionScope, 'signal'> {
  const { query, allowHosts, timeoutMs, clockAheadMs } = versioned({
    query: string,
    allowHosts: optional(string),
    timeoutMs: number,
    clockAheadMs: optional(within(0, MAX_CLOCK_AHEAD_MS)),
  })(parseJson(text))
  const parsed = parseQuery(query)
  const captureClass = headers.get('x-class')
  return {
    parsed,
    query: parsed.query,
    timeoutMs,
    allowedHosts: allowHosts === undefined ? undefined : hostListOf(allowHosts),
    client: captureClass === 'background' ? BACKGROUND : (headers.get('x-client') ?? 'front'),
    hasPriority: captureClass === 'pro',
    ...(clockAheadMs !== undefined && { clockAheadMs }),
  }
}

/** A space is between lists that each have to allow a host. */
function hostListOf(text: string): HostList {
  const lists = text.split(' ').map((list) => parseHostList(list.split(',')))
  return { text, allows: (url) => lists.every((list) => list.allows(url)) }
}

/** @param durationMs  How long the worker needed. */
export function encodeExtraction({ image, ...extraction }: Extraction, durationMs: number): Uint8Array<ArrayBuffer> {
  const line = `${JSON.stringify({ version: VERSION, durationMs, ...extraction })}\n`
  return Buffer.concat([Buffer.from(line), image ?? new Uint8Array()])
}

/**
 * What a worker has extracted, which may be anything, because it opens hostile pages.
 *
 * @returns  The extraction with fields of the known types alone; `durationMs`: how long the worker needed, if it says so.
 * @throws   {InvalidMessageError}
 */
export function decodeExtraction(bytes: Uint8Array): { extraction: Extraction; durationMs: number | undefined } {
  const end = bytes.indexOf(0x0a)
  if (end < 0 || end > MAX_LINE_BYTES)
    throw new InvalidMessageError('has sent no line of JSON, or one that is too long')
  const line = new TextDecoder().decode(bytes.subarray(0, end))
  const { result, blocks, subjects, allowances, durationMs } = readExtraction(parseJson(line))
  const image = bytes.subarray(end + 1)
  const { screenshot } = result
  if (image.byteLength !== (screenshot?.size ?? 0))
    throw new InvalidMessageError('has sent an image that is not as long as its result says')
  if (screenshot && detectImageFormat(image) !== screenshot.type)
    throw new InvalidMessageError('has sent an image of another type than its result says')
  return { extraction: { result, blocks, subjects, allowances, image: screenshot ? image : undefined }, durationMs }
}

/** What a worker may blame: the query, the page, the browser or itself, and no key or quota. */
const FAILURE_CODES = Object.keys(errorCodes).filter(
  (code) => !['EAUTH', 'ERATE', 'ENOEMBED', 'EMETHOD', 'EREMOVED', 'EFATALCLIENT', 'ETIMEOUTCLIENT'].includes(code),
) as ErrorCode[]

/** Why a page was not extracted, and whether that is due to the page, and was work; see `decodeFailure`. */
export function encodeFailure(thrown: unknown): { status: number; body: string } {
  const error = isPageError(thrown) ? thrown : new PageError('EFATAL', 'An unexpected error occurred in the worker.')
  const { status, code, message, data, retryAfterMs } = error
  const isTransient = !isDueToPage(error)
  const body = { version: VERSION, code, message, data, retryAfterMs, isTransient, wasStarted: !wasNotStarted(error) }
  // An error that only clients have has no status.
  return { status: status || 500, body: JSON.stringify(body) }
}

/**
 * The error of a worker as the same error of this process, so that it is cached, retried and refunded in the same way.
 *
 * @throws  {InvalidMessageError} for another response, such as one of a balancer.
 */
export function decodeFailure(bytes: Uint8Array): PageError {
  if (bytes.byteLength > MAX_FAILURE_BYTES) throw new InvalidMessageError('has sent an error that is too long')
  const failure = readFailure(parseJson(new TextDecoder().decode(bytes)))
  const { code, message, data, retryAfterMs, isTransient, wasStarted } = failure
  const transient = isTransient ? new TransientError('The worker says that the page is not the reason.') : undefined
  const cause =
    code === 'EBRWSRTIMEOUT' && wasStarted ? new PageError('ETIMEOUT', message, { cause: transient }) : transient
  return new PageError(code, message, { data, retryAfterMs, ...(cause && { cause }) })
}

// Readers of JSON: each returns a value of its type, or throws.

type Reader<Value> = (value: unknown) => Value

const invalid = (): never => {
  throw new InvalidMessageError('has sent a message with a field of another type')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidMessageError('has sent no JSON')
  }
}

const string: Reader<string> = (value) => (typeof value === 'string' ? value : invalid())
const number: Reader<number> = (value) => (typeof value === 'number' && value >= 0 ? value : invalid())
const coordinate: Reader<number> = (value) => (typeof value === 'number' ? value : invalid())
/** A finite number: JSON has numbers that are larger than any. */
const within =
  (min: number, max: number): Reader<number> =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max ? value : invalid()
const boolean: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : invalid())
const isTrue: Reader<true> = (value) => (value === true ? value : invalid())
const matching =
  (pattern: RegExp): Reader<string> =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : invalid()
const oneOf =
  <Value extends string>(values: readonly Value[]): Reader<Value> =>
  (value) =>
    values.find((each) => each === value) ?? invalid()
const optional =
  <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : read(value)
const nullable =
  <Value>(read: Reader<Value>): Reader<Value | null> =>
  (value) =>
    value === null ? null : read(value)
const list =
  <Value>(read: Reader<Value>): Reader<Value[]> =>
  (value) =>
    Array.isArray(value) ? value.map((each) => read(each)) : invalid()
const record =
  <Value>(name: Reader<string>, read: Reader<Value>): Reader<Record<string, Value>> =>
  (value) =>
    Object.fromEntries(Object.entries(objectOf(value)).map(([key, each]) => [name(key), read(each)]))
/** The known fields alone; one that is `undefined` is left out. */
const object =
  <Fields extends Record<string, unknown>>(fields: { [Name in keyof Fields]: Reader<Fields[Name]> }): Reader<Fields> =>
  (value) => {
    const values = new Map(Object.entries(objectOf(value)))
    const read = Object.entries(fields).map(([name, reader]) => [name, (reader as Reader<unknown>)(values.get(name))])
    return Object.fromEntries(read.filter(([, each]) => each !== undefined)) as Fields
  }

const objectOf = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : invalid()

function versioned<Fields extends Record<string, unknown>>(fields: {
  [Name in keyof Fields]: Reader<Fields[Name]>
}): Reader<Fields> {
  const readVersion = object({ version: number })
  const readFields = object(fields)
  return (value) => {
    const { version } = readVersion(value)
    if (Math.abs(version - VERSION) <= 1) return readFields(value)
    throw new InvalidMessageError(
      `speaks version ${version} of the protocol, and this side version ${VERSION}; update the older side`,
    )
  }
}

const webUrl = matching(/^https?:\/\//i)
/** Clients link to it, and show it: no other scheme may come from a worker. */
const mediaUrl = matching(/^(https?:\/\/|data:)/i)
const colour = matching(/^#[\da-f]{6}$/i)
const text = optional(nullable(string))
const amount = optional(nullable(number))
const media = optional(
  nullable(
    object({
      url: mediaUrl,
      type: text,
      size: amount,
      size_pretty: text,
      width: amount,
      height: amount,
      alt: optional(string),
      duration: amount,
      duration_pretty: text,
      palette: optional(list(colour)),
    }),
  ),
)

const pageText = optional(
  nullable(object({ untrustedContent: string, omittedCharacters: number, isTruncated: boolean })),
)
/** At most these many items, and of a text these many characters: a cache entry holds them. */
const atMost =
  <Value>(max: number, read: Reader<Value[]>): Reader<Value[]> =>
  (value) =>
    read(value).slice(0, max)
const clipped =
  (max: number): Reader<string> =>
  (value) =>
    string(value).slice(0, max)
const short = clipped(MAX_EXPLAINED_CHARS)
const score: Reader<number | null> = (value) =>
  value === null || (typeof value === 'number' && Number.isFinite(value)) ? value : invalid()
const candidatesOf = (value: Reader<string>) =>
  atMost(
    MAX_EXPLAINED_VALUES,
    list(
      object({
        id: matching(/^[\da-f]{8}$/),
        value,
        source: short,
        score,
        reasons: atMost(MAX_REASONS, list(short)),
        isSelected: boolean,
        problem: optional(short),
        durationMs: optional(number),
        type: text,
        size: amount,
        width: amount,
        height: amount,
      }),
    ),
  )
const explanation = object({
  requests: atMost(
    MAX_REQUESTS,
    list(
      object({
        url: short,
        statusCode: number,
        size: nullable(number),
        durationMs: number,
        cause: optional(oneOf(['redirect', 'refresh', 'repetition'] as const)),
        hasEndedEarly: optional(isTrue),
      }),
    ),
  ),
  documents: atMost(
    2,
    list(
      object({
        by: oneOf(['fetch', 'browser'] as const),
        userAgent: short,
        url: short,
        statusCode: nullable(number),
        title: nullable(short),
        textChars: number,
        state: optional(oneOf(pageStates)),
        reason: optional(short),
      }),
    ),
  ),
  choice: short,
  fields: record(
    matching(/^(title|description|lang|author|publisher|date|url|image|logo|audio|video)$/),
    candidatesOf(short),
  ),
  layers: atMost(
    MAX_LAYERS,
    list(object({ element: short, text: short, count: number, isHidden: boolean, reason: short })),
  ),
  pending: atMost(MAX_LISTED_URLS, list(short)),
  blocked: object({ count: number, urls: atMost(MAX_LISTED_URLS, list(short)) }),
})

const MAX_SELECTOR_CHARS = 120
const MAX_BLOCK_CHARS = 200
/** Larger than any page that has a screenshot, in CSS pixels. */
const MAX_PLACE = 10_000_000
const place = within(-MAX_PLACE, MAX_PLACE)
const side = within(0, MAX_PLACE)
const blocks = atMost(
  MAX_BLOCKS,
  list(
    object({
      element: clipped(MAX_SELECTOR_CHARS),
      text: clipped(MAX_BLOCK_CHARS),
      textHash: optional(matching(/^[\da-z]{1,16}$/)),
      x: place,
      y: place,
      width: side,
      height: side,
      group: optional(clipped(MAX_SELECTOR_CHARS)),
      isForeign: optional(isTrue),
    }),
  ),
)

const readExtraction = versioned({
  durationMs: optional(number),
  blocks: optional(blocks),
  result: object({
    data: object({
      title: text,
      description: text,
      lang: text,
      author: text,
      publisher: text,
      date: text,
      url: optional(nullable(webUrl)),
      image: media,
      logo: media,
      audio: media,
      video: media,
      pages: optional(number),
      markdown: pageText,
      text: pageText,
      state: optional(oneOf(pageStates)),
    }),
    screenshot: optional(
      nullable(
        object({
          width: number,
          height: number,
          type: oneOf(['jpg', 'png', 'webp', 'avif'] as const),
          size: number,
          size_pretty: string,
          background_color: colour,
          palette: optional(list(colour)),
          area: optional(object({ x: coordinate, y: coordinate, width: number, height: number })),
        }),
      ),
    ),
    statusCode: number,
    headers: record(string, string),
    redirects: list(object({ statusCode: number, url: webUrl })),
    warnings: list(string),
    fetchMode: oneOf(['fetch', 'prerender', 'skipped'] as const),
    isCutShort: optional(boolean),
    isProvisional: optional(boolean),
    isUnverified: optional(boolean),
    candidates: optional(
      object({
        title: candidatesOf(clipped(MAX_TEXT_CHARS)),
        description: candidatesOf(clipped(MAX_TEXT_CHARS)),
        image: candidatesOf(mediaUrl),
      }),
    ),
    explanation: optional(explanation),
    // Their names become part of a header.
    timings: record(matching(/^[\w-]{1,40}$/), number),
  }),
  subjects: list(matching(/^\S{0,255} [\w-]{43}$/) as Reader<Subject>),
  allowances: list(matching(/^\S{1,300}$/)),
})

const readFailure = versioned({
  code: oneOf(FAILURE_CODES),
  message: string,
  data: record(string, string),
  retryAfterMs: optional(number),
  isTransient: boolean,
  wasStarted: boolean,
})
