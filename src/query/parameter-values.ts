import { canParseUrl } from './written-url.js'
import type { Parameter, ValueType } from './fields.js'

/** A parsed value; durations are milliseconds. */
export type Value = string | number | boolean

/** @returns  `undefined` for a text that is not a value of the type. */
type Parse = (text: string, parameter: Parameter, name: string) => Value | undefined

/** Longest value of any type; a longer style sheet is written as several `styles`, or as its URL. */
export const MAX_VALUE_CHARS = 8_192
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

// JavaScript writes small fractions with an exponent.
const DURATION = /^([\d.]+(e-\d+)?) *(ms|(s(ec(ond)?)?|m(in(ute)?)?|h(r|our)?|d(ay)?)s?)?$/
/**
 * A user name before the host would expose a password. No host is longer than 253 characters, decoded; the time in
 * which URL parsers sort combining characters of a host grows with the square of their number.
 */
const HTTP_URL = /^https?:\/\/[^@/?#\\]{1,999}([/?#]|$)/i
/** Hop-by-hop and connection headers belong to the connection: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const FORWARDED_HEADER =
  /^headers\.(?!(host|connection|content-length|cookie2|te|trailer|upgrade)$|proxy-|keep-|transfer-|x-forwarded-)[\w.-]+$/
const CONTROL_CHARACTER = /\p{Cc}/u

/** Each path once, sorted. */
export const sortedPaths = (text: string): string => [...new Set(text.match(/[^\s,]+/g))].toSorted().join()

/** Completes the sentence that begins with the parameter's name: `must be a whole number from 1 to 100`. */
export function requirement({ type, values, description, min, max }: Parameter): string {
  const number = type === 'integer' ? 'whole number' : 'number'
  return `must be ${values ? `one of ${values.join(', ')}` : (description ?? `a ${number} from ${min} to ${max}`)}`
}

const parseText = (text: string, { pattern = /./s }: Parameter) => (pattern.test(text) ? text : undefined)

/** An empty value means `true`. */
const parseBoolean = (text: string) => (text === 'false' ? false : text === '' || text === 'true' || undefined)

const parseNumber = (pattern: RegExp) => (text: string, parameter: Parameter) =>
  pattern.test(text) ? inRange(Number(text), parameter) : undefined

/** The milliseconds of a duration with or without a unit: `90s`, `1.5 minutes`, `60000`; NaN for any other text. */
export function durationMs(text: string): number {
  const [, amount, , unit = 'ms'] = DURATION.exec(text) ?? []
  return Number(amount) * (unit === 'ms' ? 1 : UNITS_MS[unit[0] as 's'])
}

/** NaN, too, is in no range. */
const inRange = (value: number, { min, max }: Parameter) => (value >= min! && value <= max! ? value : undefined)

/** One parser per type. */
export const parsers: Readonly<Record<ValueType, Parse>> = {
  boolean: parseBoolean,
  text: parseText,
  choice: (text, { values }) => values?.find((value) => String(value) === text),
  embed: (text) => parseBoolean(text) ?? text,
  integer: parseNumber(/^\d+$/),
  number: parseNumber(/^[\d.]+$/),
  duration: (text, parameter) =>
    text === 'false' && parameter.default === false ? false : inRange(durationMs(text), parameter),
  paths: (text) => sortedPaths(text) || undefined,
  url: (text) => (HTTP_URL.test(text) && canParseUrl(text) ? text : undefined),
  header: (text, _, name) => (FORWARDED_HEADER.test(name) && !CONTROL_CHARACTER.test(text) ? text : undefined),
}
