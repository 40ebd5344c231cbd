const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const boolean = <const D extends boolean>(fallback: D) => ({ type: 'boolean', default: fallback }) as const
const switches = <const D extends boolean>(fallback: D) => ({ type: 'switches', default: fallback }) as const
const text = { type: 'text' } as const
const selector = { type: 'selector' } as const
const list = { type: 'list' } as const
const choice = <const V extends readonly string[]>(values: V, fallback?: V[number]) =>
  ({ type: 'choice', values, default: fallback }) as const
const number = (min: number, max: number, fallback?: number, step?: number) =>
  ({ type: 'number', min, max, default: fallback, step }) as const
const duration = (min: number, max: number, fallback?: number) =>
  ({ type: 'duration', min, max, default: fallback }) as const

/**
 * The query language: every word by its canonical name. Reading, writing, props, attributes, flags, help and the OpenAPI
 * document follow from this table. Durations and their bounds are milliseconds; `step: 1` asks for whole numbers.
 */
export const fields = {
  url: { type: 'url' },
  headers: { type: 'headers' },
  ping: switches(true),
  meta: switches(true),
  screenshot: boolean(false),
  element: selector,
  'overlay.browser': choice(['light', 'dark']),
  'overlay.background': text,
  'screenshot.fullPage': boolean(false),
  'screenshot.type': choice(['jpg', 'png', 'webp', 'avif'], 'jpg'),
  'screenshot.quality': number(1, 100, 80, 1),
  'screenshot.omitBackground': boolean(false),
  embed: { type: 'embed' },
  filter: { type: 'paths' },
  device: { type: 'text', default: 'Macbook Pro 13' },
  'viewport.width': number(1, 10_000, undefined, 1),
  'viewport.height': number(1, 10_000, undefined, 1),
  'viewport.deviceScaleFactor': number(0.1, 5),
  'viewport.isMobile': { type: 'boolean' },
  'viewport.hasTouch': { type: 'boolean' },
  'viewport.isLandscape': { type: 'boolean' },
  colorScheme: choice(['light', 'dark', 'no-preference']),
  mediaType: choice(['screen', 'print']),
  animations: boolean(false),
  javascript: boolean(true),
  adblock: boolean(true),
  waitUntil: choice(['auto', 'load', 'domcontentloaded', 'networkidle'], 'auto'),
  waitForSelector: selector,
  waitForTimeout: duration(0, 28_000),
  click: list,
  scroll: selector,
  styles: list,
  palette: boolean(false),
  timeout: duration(1, 28_000, 28_000),
  ttl: duration(MINUTE_MS, 31 * DAY_MS, DAY_MS),
  staleTtl: { type: 'stale', min: 0, max: 31 * DAY_MS, default: false },
  force: boolean(false),
  expires: number(0, Number.MAX_SAFE_INTEGER, undefined, 1),
  keyId: text,
  signature: text,
} as const

/** A canonical name of the table. */
export type Word = keyof typeof fields
