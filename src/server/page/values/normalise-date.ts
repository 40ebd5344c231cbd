import { DAY_MS } from '../../utc-day.js'
import { parseWrittenDate } from './parse-written-date.js'
import { readZoneName } from './time-zones.js'

/** The extended and the basic format, with or without time. */
const ISO =
  /^(\d{4})(?:-(\d{1,2})-(\d{1,2})|\/(\d{1,2})\/(\d{1,2})|(\d\d)(\d\d)(?=T|$))(?:[T\s]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?/
const TIME_ZONE = /(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)\s*(\([^()]*\))?$/i
const HALF_OF_DAY = /^\s?([ap])\.?m\b/i
/** RFC 2822, and what `Date` prints. */
const RFC_2822 =
  /^[a-z]{3,9},?\s+(\d{1,2}\s+[a-z]{3}|[a-z]{3}\s+\d{1,2})\s+\d{4}\s+[\d:]{4,8}\s+(GMT|UTC|Z|[+-]\d{4}|GMT[+-]\d{4})(\s+\(.*\))?$/i

const EARLIEST_MS = Date.UTC(1990, 0)
const MAX_DATE_CHARS = 100

export interface DateOptions {
  /** Language of the page (`en-GB`); decides how `01/02/2026` and month names are read. Default: American English. */
  lang?: string | undefined
  /** Milliseconds since 1970. Default: the current time. */
  now?: number
}

/**
 * Parses a date in the formats that pages use. A time without zone is read as UTC, a date without time as midnight.
 *
 * @returns  ISO 8601, UTC; `undefined` for an invalid date and for one before 1990 or in the future, which no web page has.
 */
export function normaliseDate(text: string, { lang, now = Date.now() }: DateOptions = {}): string | undefined {
  const trimmed = text.trim().slice(0, MAX_DATE_CHARS)
  const zoned = readZoneName(trimmed)
  const parsed = parseDate(zoned?.text ?? trimmed, lang)
  const time = parsed !== undefined && zoned ? zoned.toUtc(parsed) : parsed
  if (time === undefined || !(time >= EARLIEST_MS && time <= now + DAY_MS)) return undefined
  return new Date(time).toISOString()
}

const parseDate = (text: string, lang: string | undefined) =>
  parseIso(text) ?? parseEpoch(text) ?? parseRfc2822(text) ?? parseWrittenDate(text, lang)

function parseIso(text: string): number | undefined {
  const [match, year, ...parts] = ISO.exec(text) ?? []
  if (!match) return undefined
  const [month = '', day = '', hour = '00', minute = '00', second = '00'] = [
    parts[0] ?? parts[2] ?? parts[4],
    parts[1] ?? parts[3] ?? parts[5],
    ...parts.slice(6),
  ]
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDay(date)) return undefined
  const rest = parts[6] === undefined ? '' : text.slice(match.length)
  const [, zone = 'Z'] = TIME_ZONE.exec(rest) ?? []
  const offset = zone
    .replace(/^(UTC|GMT)$/i, 'Z')
    .replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
  return parseTime(`${date}T${inWholeDay(hour, rest)}:${minute}:${second}${offset.toUpperCase()}`)
}

/** `Date.parse` takes 30 February for the first of March. */
const isDay = (date: string) => new Date(parseTime(date) ?? Number.NaN).toJSON()?.slice(0, 10) === date

/** `08` of `08:30 PM` is 20. */
function inWholeDay(hour: string, rest: string): string {
  const [, half] = HALF_OF_DAY.exec(rest) ?? []
  if (!half || Number(hour) > 12) return hour
  return String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, also as `/Date(1710237600000)/`. */
function parseEpoch(text: string): number | undefined {
  const [, digits] = /^(?:@|\/Date\()?(\d{10}(?:\d{3}){0,3})(?:[.,]\d{1,9})?(?:[+-]\d{4})?(?:\)\/)?$/.exec(text) ?? []
  return digits === undefined ? undefined : Math.floor(Number(digits) / 10 ** (digits.length - 13))
}

const parseRfc2822 = (text: string) => (RFC_2822.test(text) ? parseTime(text) : undefined)

function parseTime(text: string): number | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
