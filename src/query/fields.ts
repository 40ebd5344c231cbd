import type { Parameter } from './parameter.js'

export const DAY_MS = 86_400_000
export const MAX_TTL_MS = 31 * DAY_MS
const MAX_TIMEOUT_MS = 28_000

const text = { type: 'text', description: '1 to 8192 characters' } as const
const list = { ...text, type: 'list' } as const
const integer = { type: 'integer' } as const
const duration = { type: 'duration' } as const
/** At most as long as the service works on one request; the description names these bounds. */
const shortDuration = { ...duration, min: 0, max: MAX_TIMEOUT_MS, description: 'between 0 and 28s, e.g. 12s' } as const
const boolean = { type: 'boolean', description: 'true or false' } as const
const off = { ...boolean, default: false } as const
const on = { ...boolean, default: true } as const
const imageTypes = ['jpg', 'png', 'webp', 'avif'] as const
/** One boolean for all, or one for each field of the result: `ping.audio`. */
const switches = { ...on, type: 'switches' } as const

/**
 * Parameters that control delivery rather than extraction. Together with `headers.apiKey` they are left out of the cache key.
 */
export const deliveryFields = {
  embed: { ...text, type: 'embed', default: false },
  'variant.width': { type: 'choice', values: [320, 640, 960, 1280, 1920] },
  'variant.type': { type: 'choice', values: imageTypes },
  filter: { type: 'paths', description: 'comma-separated paths' },
  timeout: { ...shortDuration, default: MAX_TIMEOUT_MS },
  ttl: {
    ...duration,
    min: 60_000,
    max: MAX_TTL_MS,
    description: 'between 1m and 31d, e.g. ttl=12h',
    default: DAY_MS,
    code: 'EINVALTTL',
  },
  staleTtl: {
    type: 'optional duration',
    min: 0,
    max: MAX_TTL_MS,
    description: 'between 0 and 31d, e.g. staleTtl=12h, or false',
    default: false,
    code: 'EINVALSTTL',
  },
  force: off,
  expires: { ...integer, min: 1, max: 1e10 },
  keyId: text,
  signature: text,
} as const satisfies Record<string, Parameter>

const table = {
  url: { type: 'url', description: 'an absolute http(s) URL', code: 'EINVALURL' },
  headers: { type: 'header', description: 'a header that may be sent', code: 'EHEADERS' },
  ping: switches,
  meta: switches,
  screenshot: off,
  element: list,
  'overlay.browser': { type: 'choice', values: ['light', 'dark'] },
  'overlay.background': text,
  'screenshot.fullPage': off,
  'screenshot.clip': { ...text, pattern: /^\d+(\.\d+)?(, *\d+(\.\d+)?){3}$/, description: 'x,y,width,height' },
  'screenshot.padding': { ...integer, min: 0, max: 500, default: 0 },
  'screenshot.type': { type: 'choice', values: imageTypes, default: 'jpg' },
  'screenshot.quality': { ...integer, min: 1, max: 100, default: 80 },
  'screenshot.omitBackground': off,
  device: { ...text, default: 'Macbook Pro 13' },
  'viewport.width': { ...integer, min: 1, max: 10_000 },
  'viewport.height': { ...integer, min: 1, max: 10_000 },
  'viewport.deviceScaleFactor': { type: 'number', min: 0.1, max: 5 },
  'viewport.isMobile': boolean,
  'viewport.hasTouch': boolean,
  'viewport.isLandscape': boolean,
  colorScheme: { type: 'choice', values: ['light', 'dark', 'no-preference'] },
  mediaType: { type: 'choice', values: ['screen', 'print'] },
  locale: { ...text, pattern: /^[A-Za-z]+(-[A-Za-z\d]+)*$/, description: 'a BCP 47 tag' },
  timezone: { ...text, pattern: /^[A-Za-z][\w/+-]+$/, description: 'an IANA time zone' },
  geolocation: { ...text, pattern: /^-?\d+(\.\d+)?, *-?\d+(\.\d+)?$/, description: 'latitude,longitude' },
  animations: off,
  javascript: on,
  adblock: on,
  waitUntil: { type: 'choice', values: ['auto', 'load', 'domcontentloaded', 'networkidle'], default: 'auto' },
  waitForSelector: text,
  waitForTimeout: shortDuration,
  click: list,
  scroll: text,
  styles: list,
  palette: off,
  ...deliveryFields,
} as const satisfies Record<string, Parameter>

type Table = typeof table
type WithDefault<Row> = Row extends { default: unknown } ? Row : Row & { readonly default?: undefined }

/**
 * The query language: every parameter by its canonical name. Parsing, serialising, props, attributes, flags, help and the
 * OpenAPI document follow from this table; `PageQuery` documents each of them.
 */
export const fields: { readonly [Name in keyof Table]: WithDefault<Table[Name]> } = table

/** A canonical name of the table. */
export type ParameterName = keyof Table

/** The row of a canonical name, also for sub-keys and list items: `ping.audio`, `headers.accept`, `click.0`. */
export function parameterOf(name: string): Parameter {
  return table[(Object.hasOwn(table, name) ? name : groupOf(name)) as ParameterName]
}

/** The parameter that a name begins with: `screenshot` of `screenshot.type`. */
export const groupOf = (name: string): string => name.split('.', 1)[0]!
