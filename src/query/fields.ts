import type { ErrorCode } from './page-error.js'

/** One row of the table. Durations and their bounds are milliseconds. */
export interface Field {
  /** What a value is, as an error says it: `needs integer 1..100`. */
  readonly type: string
  /** Values that are taken as they stand; without a `pattern` there are no others. */
  readonly values?: readonly (string | boolean)[]
  /** What other values look like as text; of a header together with its name. */
  readonly pattern?: RegExp
  readonly min?: number
  readonly max?: number
  /** What a query without this word means. */
  readonly default?: string | number | boolean
  /** The code of an error about the value; without one it is `EINVALQUERY`. */
  readonly code?: ErrorCode
}

export const DAY_MS = 86_400_000
export const MAX_TTL_MS = 31 * DAY_MS
const MAX_TIMEOUT_MS = 28_000

const text = { type: 'text', pattern: /./ } as const
const list = { ...text, type: 'list' } as const
const integer = { type: 'integer', pattern: /^\d+$/ } as const
const duration = {
  type: 'duration',
  // An exponent is how JavaScript writes the smallest fractions again.
  pattern: /^\d*\.?\d+(e-\d+)? *(ms|([smhd])(ec(ond)?|in(ute)?|(ou)?r|ay)?s?)?$/,
} as const
const boolean = { type: 'boolean', values: [true, false] } as const
const off = { ...boolean, default: false } as const
const on = { ...boolean, default: true } as const
/** One boolean for all, or one for each field of the answer: `ping.audio`. */
const switches = { ...on, type: 'switches' } as const

/** The words that say how to give an answer, not how to make it. With `headers.apiKey` they are no part of the cache key. */
export const deliveryFields = {
  /** Answer with one field itself in place of JSON: a dotted path into data, or html. */
  embed: { ...off, ...text, type: 'embed' },
  /** Keep only these fields of data: a comma list of dotted paths. */
  filter: { type: 'paths', pattern: /[^\s,]/ },
  /** Time for the whole request. */
  timeout: { ...duration, min: 0, max: MAX_TIMEOUT_MS, default: MAX_TIMEOUT_MS },
  /** How long an answer is kept; 31d when an image is embedded. */
  ttl: { ...duration, min: 60_000, max: MAX_TTL_MS, default: DAY_MS, code: 'EINVALTTL' },
  /** From this age on, a kept answer is given at once and renewed in the background; 24h when an image is embedded. */
  staleTtl: { ...duration, values: [false], min: 0, max: MAX_TTL_MS, default: false, code: 'EINVALSTTL' },
  /** Renew now, whatever is kept. */
  force: off,
  /** Until when a signed request holds: seconds since 1970. */
  expires: { ...integer, min: 1, max: 1e10 },
  /** Which key signed the request. */
  keyId: text,
  /** HMAC-SHA-256 over the canonical query, base64url. */
  signature: text,
} as const satisfies Record<string, Field>

const table = {
  // At most 8,192 characters. A name before the host is a password in the open, so no @ may come before the path.
  /** The page to preview: an absolute http(s) address. */
  url: { type: 'http(s) url', pattern: /^(?![^]{8193})https?:\/\/[^@/?]+([/?]|$)/i, code: 'EINVALURL' },
  // What a header may carry: https://www.rfc-editor.org/rfc/rfc9110#section-5.5; what belongs to the connection stays with it.
  /** Headers sent to the target page, as headers.NAME; headers.apiKey is the key of the service and never sent on. */
  headers: {
    type: 'safe header',
    pattern:
      /^headers\.(?!(host|connection|content-length|cookie2|te|trailer|upgrade):|proxy-|keep-|transfer-|x-forwarded-)[\w.-]+:\P{Cc}*$/u,
    code: 'EHEADERS',
  },
  /** Check that every address in the answer can be reached; ping.FIELD=false leaves one field out. */
  ping: switches,
  /** Which metadata to read; meta.FIELD=true reads only those, false none. */
  meta: switches,
  /** Add a screenshot of the page. */
  screenshot: off,
  /** Capture only the element that this CSS selector finds. */
  element: text,
  /** Draw a browser window around the capture. */
  'overlay.browser': { type: 'choice', values: ['light', 'dark'] },
  /** Fill behind the capture: a colour, a CSS gradient or an image address. */
  'overlay.background': text,
  /** Capture the whole scrolled page, lazy images loaded. */
  'screenshot.fullPage': off,
  /** File type of the capture. */
  'screenshot.type': { type: 'choice', values: ['jpg', 'png', 'webp', 'avif'], default: 'jpg' },
  /** Quality of jpg, webp and avif. */
  'screenshot.quality': { ...integer, min: 1, max: 100, default: 80 },
  /** Leave the background transparent (png, webp, avif). */
  'screenshot.omitBackground': off,
  /** Name of the device to show the page on, in any case: "iPhone 6", "iPad Pro landscape". */
  device: { ...text, default: 'Macbook Pro 13' },
  /** Width of the window in CSS pixels. */
  'viewport.width': { ...integer, min: 1, max: 10_000 },
  /** Height of the window in CSS pixels. */
  'viewport.height': { ...integer, min: 1, max: 10_000 },
  /** Image pixels per CSS pixel. */
  'viewport.deviceScaleFactor': { type: 'number', pattern: /^\d*\.?\d+$/, min: 0.1, max: 5 },
  /** Behave as a mobile browser does. */
  'viewport.isMobile': boolean,
  /** Have a touch screen. */
  'viewport.hasTouch': boolean,
  /** Hold the device sideways. */
  'viewport.isLandscape': boolean,
  /** What the page is told of the preferred colours. */
  colorScheme: { type: 'choice', values: ['light', 'dark', 'no-preference'] },
  /** CSS medium of the page. */
  mediaType: { type: 'choice', values: ['screen', 'print'] },
  /** Let CSS animations run; they are frozen by default. */
  animations: off,
  /** Let the page run its scripts. */
  javascript: on,
  /** Block ads, trackers and cookie banners. */
  adblock: on,
  /** When the page counts as loaded. */
  waitUntil: { type: 'choice', values: ['auto', 'load', 'domcontentloaded', 'networkidle'], default: 'auto' },
  /** Wait until the page has what this CSS selector finds. */
  waitForSelector: text,
  /** Wait this long before the capture. */
  waitForTimeout: { ...duration, min: 0, max: MAX_TIMEOUT_MS },
  /** Click what these CSS selectors find, in order. */
  click: list,
  /** Scroll to what this CSS selector finds. */
  scroll: text,
  /** CSS to add to the page: text or addresses. */
  styles: list,
  /** Add the most present colours to each image. */
  palette: off,
  ...deliveryFields,
} as const satisfies Record<string, Field>

type Table = typeof table
type WithDefault<Row> = Row extends { default: unknown } ? Row : Row & { readonly default?: undefined }

/**
 * The query language: every word by its canonical name. Reading, writing, props, attributes, flags, help and the OpenAPI
 * document follow from this table.
 */
export const fields: { readonly [W in keyof Table]: WithDefault<Table[W]> } = table

/** A canonical name of the table. */
export type ParameterName = keyof Table
