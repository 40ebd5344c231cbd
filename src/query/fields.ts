const DAY_MS = 86_400_000
const MAX_TIMEOUT_MS = 28_000
const MAX_URL_LENGTH = 8_192

/** `read` gives `undefined` for a text that is no such value; `expects` says what would be. */
const word = <Type extends string, Value, Default = undefined>(
  type: Type,
  read: (text: string) => Value | undefined,
  fallback?: Default,
  expects: string = type,
) => ({ type, expects, read, default: fallback as Default })

const readBoolean = (text: string) => /^(true)?$/.test(text) || (text === 'false' ? false : undefined)
const readText = (text: string) => text.trim() || undefined

const boolean = <Default = undefined>(fallback?: Default) => word('boolean', readBoolean, fallback)
const text = word('text', readText)
const list = word('list', readText)

const choice = <const Value extends string>(values: readonly Value[], fallback?: Value) => ({
  values,
  ...word('choice', (text) => values.find((value) => value === text), fallback, values.join(' or ')),
})

const range = <Type extends string, Default = undefined>(
  type: Type,
  read: (text: string) => number,
  min: number,
  max: number,
  fallback?: Default,
) => ({
  min,
  max,
  ...word(
    type,
    (text) => (read(text) >= min && read(text) <= max ? read(text) : undefined),
    fallback,
    `${type} from ${min} to ${max}`,
  ),
})

const readInteger = (text: string) => (/^\d+$/.test(text) ? Number(text) : NaN)
const integer = (min: number, max: number, fallback?: number) => range('integer', readInteger, min, max, fallback)

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS }

function readDuration(text: string): number {
  const [, amount, unit = ''] =
    /^([\d.]+) *(?:ms|milliseconds?|([smhd]|(?:sec|second|min|minute|hr|hour|day)s?))?$/i.exec(text) ?? []
  return Number(amount) * (UNITS_MS[unit.charAt(0).toLowerCase()] ?? 1)
}

const duration = <Default = undefined>(min: number, max: number, fallback?: Default) =>
  range('duration', readDuration, min, max, fallback)
const staleTtl = duration(0, 31 * DAY_MS, false as const)

function readUrl(text: string): string | undefined {
  const { protocol, username, password } = URL.canParse(text) ? new URL(text) : ({} as Partial<URL>)
  const isFit = /^https?:$/.test(protocol ?? '') && !username && !password && text.length <= MAX_URL_LENGTH
  return isFit ? text.trim() : undefined
}

/**
 * The query language: every word by its canonical name. Reading, writing, props, attributes, flags, help and the OpenAPI
 * document follow from this table. Durations and their bounds are milliseconds.
 */
export const fields = {
  url: word('url', readUrl, undefined, 'an absolute http(s) address, no longer than 8192'),
  headers: word('headers', () => undefined),
  ping: word('switches', readBoolean, true),
  meta: word('switches', readBoolean, true),
  screenshot: boolean(false),
  element: text,
  'overlay.browser': choice(['light', 'dark']),
  'overlay.background': text,
  'screenshot.fullPage': boolean(false),
  'screenshot.type': choice(['jpg', 'png', 'webp', 'avif'], 'jpg'),
  'screenshot.quality': integer(1, 100, 80),
  'screenshot.omitBackground': boolean(false),
  embed: word('embed', (text) => readBoolean(text) ?? text.trim(), false as const),
  filter: word('paths', (text) => [...new Set(text.match(/[^\s,]+/g))].toSorted().join() || undefined),
  device: word('text', readText, 'Macbook Pro 13'),
  'viewport.width': integer(1, 10_000),
  'viewport.height': integer(1, 10_000),
  'viewport.deviceScaleFactor': range('number', Number, 0.1, 5),
  'viewport.isMobile': boolean(),
  'viewport.hasTouch': boolean(),
  'viewport.isLandscape': boolean(),
  colorScheme: choice(['light', 'dark', 'no-preference']),
  mediaType: choice(['screen', 'print']),
  animations: boolean(false),
  javascript: boolean(true),
  adblock: boolean(true),
  waitUntil: choice(['auto', 'load', 'domcontentloaded', 'networkidle'], 'auto'),
  waitForSelector: text,
  waitForTimeout: duration(0, MAX_TIMEOUT_MS),
  click: list,
  scroll: text,
  styles: list,
  palette: boolean(false),
  timeout: duration(1, MAX_TIMEOUT_MS, MAX_TIMEOUT_MS),
  ttl: duration(60_000, 31 * DAY_MS, DAY_MS),
  staleTtl: { ...staleTtl, type: 'stale' as const, read: (text: string) => text !== 'false' && staleTtl.read(text) },
  force: boolean(false),
  expires: integer(0, Number.MAX_SAFE_INTEGER),
  keyId: text,
  signature: text,
}

/** A canonical name of the table. */
export type Word = keyof typeof fields
