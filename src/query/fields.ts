import type { ErrorCode } from './page-error.js'

export const DAY_MS = 86_400_000

/** How the values of a parameter are written. */
export type ValueType =
  | 'boolean'
  | 'choice'
  | 'duration'
  | 'embed'
  | 'header'
  | 'integer'
  | 'number'
  | 'paths'
  | 'text'
  | 'url'

/** One row of the table of parameters. Durations and their bounds are milliseconds. */
export interface Parameter {
  /** How its values are written. */
  readonly type: ValueType
  /** For `choice`: every accepted value. */
  readonly values?: readonly (string | number)[]
  /** For `text`: what every accepted value matches. */
  readonly pattern?: RegExp
  /** What the accepted values are, as in "must be …"; absent if `values`, or `min` and `max`, say it. */
  readonly description?: string
  /** The smallest number that is accepted. */
  readonly min?: number
  /** The largest one. */
  readonly max?: number
  /** What a query without this parameter means. A duration whose default is `false` may be `false`. */
  readonly default?: string | number | boolean
  /** Code of the error for an invalid value. Default: `EINVALQUERY`. */
  readonly code?: ErrorCode
  /**
   * What may follow the name and a dot: the index of an item of a list (`click.0`), or a name that the caller chooses
   * (`ping.audio`). The parameter's own name is then one word, so that attributes are unambiguous (`click-0`). A `text` with
   * indices is one text or a list of them, a `boolean` with names one boolean for all or one for each.
   */
  readonly subKey?: 'integer' | 'text'
}

export const MAX_TTL_MS = 31 * DAY_MS
const MAX_TIMEOUT_MS = 28_000

const text = { type: 'text', description: '1 to 8192 characters' } as const
const list = { ...text, subKey: 'integer' } as const
const integer = { type: 'integer' } as const
const duration = { type: 'duration' } as const
/** A duration of at most the time that the service works on one request; the description names these bounds. */
const shortDuration = { ...duration, min: 0, max: MAX_TIMEOUT_MS, description: 'between 0 and 28s, e.g. 12s' } as const
const boolean = { type: 'boolean', description: 'true or false' } as const
const off = { ...boolean, default: false } as const
const on = { ...boolean, default: true } as const
const imageTypes = ['jpg', 'png', 'webp', 'avif'] as const
/** The `id` of a candidate. */
const pick = { ...text, pattern: /^[\da-f]{8}$/, description: '8 hexadecimal digits' } as const
/** One boolean for all, or one for each field of the result: `ping.audio`. */
const switches = { ...on, subKey: 'text' } as const

/** Options of `screenshot`: each requests one, and is written with that prefix or without it. */
export const screenshotFields = {
  element: list,
  'overlay.browser': { type: 'choice', values: ['light', 'dark'] },
  'overlay.background': text,
  'screenshot.fullPage': off,
  'screenshot.clip': {
    ...text,
    pattern: /^\d+(\.\d+)?(, *\d+(\.\d+)?){3}$/,
    description: 'x,y,width,height',
  },
  'screenshot.padding': { ...integer, min: 0, max: 500, default: 0 },
  'screenshot.type': { type: 'choice', values: imageTypes, default: 'jpg' },
  'screenshot.quality': { ...integer, min: 1, max: 100, default: 80 },
  'screenshot.omitBackground': off,
  history: { ...integer, min: 1, max: 20 },
} as const satisfies Record<string, Parameter>

/** Parameters that control delivery rather than extraction. They are not part of the cache key. */
export const deliveryFields = {
  embed: { ...text, type: 'embed', default: false },
  'variant.width': { type: 'choice', values: [320, 640, 960, 1280, 1920] },
  'variant.maxSide': { ...integer, min: 16, max: 65_500 },
  'variant.maxBytes': { ...integer, min: 2_000, max: 25_000_000 },
  'variant.type': { type: 'choice', values: imageTypes },
  'variant.tiles': off,
  filter: { type: 'paths', subKey: 'integer', description: 'comma-separated paths' },
  timeout: { ...shortDuration, default: MAX_TIMEOUT_MS },
  ttl: {
    ...duration,
    min: 60_000,
    max: MAX_TTL_MS,
    description: 'between 1m and 31d, e.g. 12h',
    default: DAY_MS,
    code: 'EINVALTTL',
  },
  staleTtl: {
    ...duration,
    min: 0,
    max: MAX_TTL_MS,
    description: 'between 0 and 31d, e.g. 12h, or false',
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
  headers: { type: 'header', subKey: 'text', description: 'a header that may be sent', code: 'EHEADERS' },
  ping: switches,
  meta: switches,
  screenshot: off,
  ...screenshotFields,
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
  markdown: off,
  text: off,
  'title.pick': pick,
  'image.pick': pick,
  candidates: off,
  explain: off,
  ...deliveryFields,
} as const satisfies Record<string, Parameter>

type Table = typeof table
type WithDefault<Row> = Row extends { default: unknown } ? Row : Row & { readonly default?: undefined }

/**
 * The query language: every parameter by its canonical name. Parsing, serialising, props, attributes, flags, help and the OpenAPI
 * document follow from this table; `PageQuery` documents each parameter.
 */
export const fields: { readonly [Name in keyof Table]: WithDefault<Table[Name]> } = table

/** A canonical name of the table. */
export type ParameterName = keyof Table

/** The canonical name of an option of `screenshot`. */
export type ScreenshotParameter = keyof typeof screenshotFields

/** The row of a name, also with a sub-key: `ping.audio`, `headers.accept`, `click.0`. `undefined` if the language does not have it. */
export function parameterOf(name: string): Parameter | undefined {
  return fields[name as ParameterName] ?? fields[groupOf(name) as ParameterName]
}

/** The part before the first dot: `screenshot` of `screenshot.type`. */
export const groupOf = (name: string): string => name.split('.', 1)[0]!
