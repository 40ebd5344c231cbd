import type { Parameter } from './parameter.js'

export const DAY_MS = 86_400_000
export const MAX_TTL_MS = 31 * DAY_MS
const MAX_TIMEOUT_MS = 28_000

const text = { type: 'text' } as const
const list = { type: 'list' } as const
const integer = { type: 'integer' } as const
const duration = { type: 'duration' } as const
/** At most as long as the service works on one request; the description names these bounds. */
const shortDuration = { ...duration, min: 0, max: MAX_TIMEOUT_MS, description: 'between 0 and 28s, e.g. 12s' } as const
const boolean = { type: 'boolean' } as const
const off = { ...boolean, default: false } as const
const on = { ...boolean, default: true } as const
const imageTypes = ['jpg', 'png', 'webp', 'avif'] as const
/** One boolean for all, or one for each field of the result: `ping.audio`. */
const switches = { type: 'switches', default: true } as const

/**
 * Parameters that control delivery rather than extraction. Together with `headers.apiKey` they are left out of the cache key.
 */
export const deliveryFields = {
  /** Respond with one field itself instead of JSON: a dotted path into data, or html. */
  embed: { type: 'embed', default: false },
  /** Deliver an embedded image in this width in pixels, or in its own where that is smaller. */
  'variant.width': { type: 'choice', values: [320, 640, 960, 1280, 1920] },
  /** Deliver an embedded image in this file type; with variant.width, by default the best that the client accepts. */
  'variant.type': { type: 'choice', values: imageTypes },
  /** Keep only these fields of data: a comma-separated list of dotted paths. */
  filter: { type: 'paths' },
  /** Time limit for the whole request. */
  timeout: { ...shortDuration, default: MAX_TIMEOUT_MS },
  /** How long a result is cached; 31d when an image is embedded. */
  ttl: {
    ...duration,
    min: 60_000,
    max: MAX_TTL_MS,
    description: 'between 1m and 31d, e.g. ttl=12h',
    default: DAY_MS,
    code: 'EINVALTTL',
  },
  /** Age from which a cached result is stale: served at once and revalidated in the background; 24h when an image is embedded. */
  staleTtl: {
    type: 'optional duration',
    min: 0,
    max: MAX_TTL_MS,
    description: 'between 0 and 31d, e.g. staleTtl=12h, or false',
    default: false,
    code: 'EINVALSTTL',
  },
  /** Bypass the cache and refresh it. */
  force: off,
  /** When a signed request expires: seconds since 1970. */
  expires: { ...integer, min: 1, max: 1e10 },
  /** Id of the key that signed the request. */
  keyId: text,
  /** HMAC-SHA-256 over the canonical query, base64url. */
  signature: text,
} as const satisfies Record<string, Parameter>

const table = {
  /** The page to preview: an absolute http(s) URL. */
  url: { type: 'url', code: 'EINVALURL' },
  /** Headers sent to the target page, as headers.NAME; headers.apiKey is the key of the service and is never sent to the page. */
  headers: { type: 'header', code: 'EHEADERS' },
  /** Check that every URL in the result is publicly reachable; ping.FIELD=false leaves one field out. */
  ping: switches,
  /** Which metadata to read; meta.FIELD=true reads only those, false none. */
  meta: switches,
  /** Add a screenshot of the page. */
  screenshot: off,
  /** Capture only the element that matches this CSS selector; with several selectors, the box around their elements. */
  element: list,
  /** Draw a browser window around the screenshot. */
  'overlay.browser': { type: 'choice', values: ['light', 'dark'] },
  /** Fill behind the screenshot: a color, a CSS gradient or an image URL. */
  'overlay.background': text,
  /** Capture the whole scrolled page, with lazy images loaded. */
  'screenshot.fullPage': off,
  /** Capture only this rectangle of the page: x,y,width,height in CSS pixels. */
  'screenshot.clip': { ...text, pattern: /^\d+(\.\d+)?(, *\d+(\.\d+)?){3}$/, description: 'x,y,width,height' },
  /** How much of the page to show around an element or clip, in CSS pixels. */
  'screenshot.padding': { ...integer, min: 0, max: 500, default: 0 },
  /** File type of the screenshot. */
  'screenshot.type': { type: 'choice', values: imageTypes, default: 'jpg' },
  /** Quality of jpg, webp and avif. */
  'screenshot.quality': { ...integer, min: 1, max: 100, default: 80 },
  /** Leave the background transparent (png, webp, avif). */
  'screenshot.omitBackground': off,
  /** Name of the emulated device, in any case: "iPhone 6", "iPad Pro landscape". */
  device: { ...text, default: 'Macbook Pro 13' },
  /** Width of the viewport in CSS pixels. */
  'viewport.width': { ...integer, min: 1, max: 10_000 },
  /** Height of the viewport in CSS pixels. */
  'viewport.height': { ...integer, min: 1, max: 10_000 },
  /** Image pixels per CSS pixel. */
  'viewport.deviceScaleFactor': { type: 'number', min: 0.1, max: 5 },
  /** Behave like a mobile browser. */
  'viewport.isMobile': boolean,
  /** Emulate a touch screen. */
  'viewport.hasTouch': boolean,
  /** Rotate the device to landscape. */
  'viewport.isLandscape': boolean,
  /** Preferred color scheme reported to the page. */
  colorScheme: { type: 'choice', values: ['light', 'dark', 'no-preference'] },
  /** CSS media type of the page. */
  mediaType: { type: 'choice', values: ['screen', 'print'] },
  /** Language of the reader, as a BCP 47 tag: Accept-Language, navigator.language and Intl. */
  locale: { ...text, pattern: /^[A-Za-z]+(-[A-Za-z\d]+)*$/, description: 'a BCP 47 tag' },
  /** Time zone of the reader, as an IANA name. */
  timezone: { ...text, pattern: /^[A-Za-z][\w/+-]+$/, description: 'an IANA time zone' },
  /** Position of the reader, latitude,longitude, which the page may read. */
  geolocation: { ...text, pattern: /^-?\d+(\.\d+)?, *-?\d+(\.\d+)?$/, description: 'latitude,longitude' },
  /** Let CSS animations run; by default they are frozen. */
  animations: off,
  /** Run the scripts of the page. */
  javascript: on,
  /** Block ads, trackers and cookie banners. */
  adblock: on,
  /** When the page counts as loaded. */
  waitUntil: { type: 'choice', values: ['auto', 'load', 'domcontentloaded', 'networkidle'], default: 'auto' },
  /** Wait until an element matches this CSS selector. */
  waitForSelector: text,
  /** Wait this long before the capture. */
  waitForTimeout: shortDuration,
  /** Click the elements that match these CSS selectors, in order. */
  click: list,
  /** Scroll to the element that matches this CSS selector. */
  scroll: text,
  /** CSS to inject into the page: CSS text or URLs. */
  styles: list,
  /** Add the most present colors to each image. */
  palette: off,
  ...deliveryFields,
} as const satisfies Record<string, Parameter>

type Table = typeof table
type WithDefault<Row> = Row extends { default: unknown } ? Row : Row & { readonly default?: undefined }

/**
 * The query language: every parameter by its canonical name. Parsing, serialising, props, attributes, flags, help and the
 * OpenAPI document follow from this table.
 */
export const fields: { readonly [Name in keyof Table]: WithDefault<Table[Name]> } = table

/** A canonical name of the table. */
export type ParameterName = keyof Table

/** The row of a canonical name, also for sub-keys and list items: `ping.audio`, `headers.accept`, `click.0`. */
export function parameterOf(name: string): Parameter {
  const own = Object.hasOwn(table, name) ? name : name.split('.', 1)[0]
  return table[own as ParameterName]
}
