import * as chrono from 'chrono-node'
import { DAY_MS } from '../../utc-day.js'
import { decodeEntities } from '../values/index.js'
import { normaliseLanguage } from './lang.js'

/** The extended and the basic format, with or without time, also without a letter between: `20240312083000`. */
const ISO =
  /^(\d{4})(?:-(\d{1,2})-(\d{1,2})|\/(\d{1,2})\/(\d{1,2})|(\d\d)(\d\d)(?=T|$|\d{4}(?:\d\d)?$))(?:(?:[T\s]+|(?<=^\d{8}))(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?/i
const TIME_ZONE = /(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?|[+-]\d:\d\d|(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?)\s*(\([^()]*\))?$/i
const HALF_OF_DAY = /^\s?([ap])\.?m\b/i
/** RFC 2822, and what `Date` prints. */
const RFC_2822 =
  /^[a-z]{3,9},?\s+(\d{1,2}\s+[a-z]{3}|[a-z]{3}\s+\d{1,2})\s+\d{4}\s+[\d:]{4,8}\s+(GMT|UTC|Z|[+-]\d{4}|GMT[+-]\d{4})(\s+\(.*\))?$/i

/** `Eastern Standard Time`, behind a time. */
const AMERICAN_ZONE = /(?<= )(Eastern|Central|Mountain|Pacific)( Standard| Daylight)? Time$/
const abbreviate = (_: string, place: string, kind = '') => `${place.charAt(0)}${kind.charAt(1)}T`
/** `Wednesday, 11-Mar-20`. */
const RFC_850 = /\b(\d{1,2})-([a-z]{3})-(\d\d)(?=\s)/i

const EARLIEST_MS = Date.UTC(1990, 0)
const MAX_DATE_CHARS = 100
/** The sign of typography, in place of a hyphen. */
const MINUS = '\u2212'

/**
 * Parses a date in the formats that pages use. A time without zone is read as UTC, a date without time as midnight.
 *
 * @param lang  Language of the page (`en-GB`); decides how `01/02/2026` and month names are read. Default: American English.
 * @param now   Milliseconds since 1970. Default: the current time.
 * @returns  ISO 8601, UTC; `undefined` for an invalid date and for one before 1990 or in the future, which no web page has.
 */
export function normaliseDate(
  text: string,
  { lang, now = Date.now() }: { lang?: string | undefined; now?: number } = {},
): string | undefined {
  const start = decodeEntities(text.trim().slice(0, MAX_DATE_CHARS)).replaceAll(MINUS, '-')
  const trimmed = start.replace(AMERICAN_ZONE, abbreviate).replace(RFC_850, '$1 $2 20$3')
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
    .replace(/^(?:UTC|GMT)([+-])(\d)?(?=\d(?::|$))/i, (_, sign: string, tens = '0') => sign + tens)
    .replace(/^(?:UTC|GMT)/i, '')
    .replace(/^([+-])(?=\d:)/, '$10')
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

/** Hours by abbreviation; of those with several meanings, the one that web pages state most. */
const HOURS: ReadonlyMap<string, number> = new Map(
  Array.from(
    (
      'Z 0 UT 0 UTC 0 GMT 0 WET 0 WEST 1 BST 1 CET 1 MEZ 1 CEST 2 MESZ 2 EET 2 EEST 3 MSK 3 TRT 3 WAT 1 CAT 2 SAST 2 EAT 3 GST 4 ' +
      'PKT 5 IST 5.5 NPT 5.75 ICT 7 WIB 7 WITA 8 SGT 8 HKT 8 PHT 8 MYT 8 AWST 8 JST 9 KST 9 WIT 9 ACST 9.5 ACDT 10.5 AEST 10 ' +
      'AEDT 11 NZST 12 NZDT 13 BRT -3 ART -3 CLT -4 NST -3.5 NDT -2.5 AST -4 ADT -3 EST -5 EDT -4 CST -6 CDT -5 MST -7 MDT -6 ' +
      'PST -8 PDT -7 AKST -9 AKDT -8 HST -10'
    ).matchAll(/([A-Z]{1,5}) (-?[\d.]{1,4})/g),
    ([, name = '', hours]) => [name, Number(hours)],
  ),
)

/** Abbreviations that mean another offset in summer. */
const PLACES: Readonly<Record<string, string>> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
}

const HOUR_MS = 3_600_000
/** A zone behind a time: ` EST`, ` (CET)`, `[Europe/Berlin]`; of two, the name behind an offset says nothing new. */
const ZONE_NAME =
  /^(?:[ap]?\.?m\.?|\.)?([([]?([A-Z]{1,5}|[A-Z][A-Za-z_]{1,20}\/[A-Z][A-Za-z_-]{1,30}(?:\/[A-Z][A-Za-z_-]{1,30})?)[)\]]?)$/
const HAS_TIME = /\d:\d\d|T\d{4}/
const HAS_OFFSET = /(?:\d(?:Z|UTC|GMT)|[\d ](?:UTC|GMT)?[+-]\d\d(?::?\d\d)?) ?$/i

interface ZonedText {
  /** Without the name of the zone. */
  text: string
  /** Converts a time of the zone, read as if it were UTC. Milliseconds since 1970. */
  toUtc: (time: number) => number
}

/** Separates the name of a time zone from a date with a time; `undefined` for a text without a known one. */
function readZoneName(text: string): ZonedText | undefined {
  const lastWord = text.split(/[\s\d]/).at(-1)!
  const [, marked = '', name = ''] = ZONE_NAME.exec(lastWord) ?? []
  const rest = text.slice(0, text.length - marked.length)
  if (!name || !HAS_TIME.test(rest)) return undefined
  if (HAS_OFFSET.test(rest)) return { text: rest.trim(), toUtc: (time) => time }
  const hours = HOURS.get(name)
  if (hours !== undefined) return { text: rest.trim(), toUtc: (time) => time - hours * HOUR_MS }
  const format = createFormat(Object.hasOwn(PLACES, name) ? PLACES[name] : name)
  return format && { text: rest.trim(), toUtc: (time) => fromLocalTime(time, format) }
}

function createFormat(timeZone: string | undefined): Intl.DateTimeFormat | undefined {
  if (!timeZone?.includes('/')) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    // No such place.
    return undefined
  }
}

/** The offset at the time itself differs from the one at the same time in UTC only around a change of the clocks. */
function fromLocalTime(time: number, format: Intl.DateTimeFormat): number {
  return time - offsetAt(time - offsetAt(time, format), format)
}

/** Milliseconds of `GMT-05:00`. */
function offsetAt(time: number, format: Intl.DateTimeFormat): number {
  const zone = Number.isNaN(time)
    ? ''
    : (format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '')
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(zone) ?? []
  const offset = (Number(hours ?? 0) + Number(minutes ?? 0) / 60) * HOUR_MS
  return sign === '-' ? -offset : offset
}

interface DateParser {
  parse(text: string): chrono.ParsedResult[]
}

const parsers: Readonly<Record<string, DateParser>> = {
  en: chrono.en.strict,
  de: chrono.de.strict,
  es: chrono.es.strict,
  fi: chrono.fi.strict,
  fr: chrono.fr.strict,
  it: chrono.it.strict,
  ja: chrono.ja.strict,
  nl: chrono.nl.strict,
  pt: chrono.pt.strict,
  ru: chrono.ru.strict,
  sv: chrono.sv.strict,
  uk: chrono.uk.strict,
  zh: chrono.zh.strict,
}

/** Regions whose English puts the day before the month. */
const DAY_FIRST_ENGLISH = /^en[-_](GB|AU|NZ|IE|IN|ZA)$/i
/** English of other regions, and pages that do not state their language. */
const MONTH_FIRST = /^(?!en[-_](?:GB|AU|NZ|IE|IN|ZA)$)(?:en(?![a-z])|\s*$)/i
/** A date in Chinese, Japanese or Korean: `2024年3月12日`. */
const EAST_ASIAN = /(\d{4})\s?[年년](?:[(（][^()（）]{1,10}[)）])?\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日號号일]/
/** The month may have two names, `آذار/مارس`, or be short for two words, `ก.ย.` */
const DAY_MONTH_YEAR =
  /(?<!\d)(\d{1,2})[.]?\s(?:de\s)?([\p{L}\p{M}]{2,15}|[\p{L}\p{M}]{1,5}\.[\p{L}\p{M}]{1,5})(?:\/([\p{L}\p{M}]{2,15}))?[.,]?\s(?:de\s)?(\d{4})(?!\d)/u
/** `2024. március 12.`, `2024. gada 12. marts`, `2024 m. kovo 12 d.` */
const YEAR_FIRST =
  /(?<!\d)(\d{4})\.?\s(?:\p{L}{1,4}\.?\s)?(?:([\p{L}\p{M}]{3,15})\.?\s(\d{1,2})|(\d{1,2})\.?\s([\p{L}\p{M}]{3,15}))(?!\d)/u
const VIETNAMESE = /(?<!\d)(\d{1,2}) tháng (\d{1,2}),?(?: năm)? (\d{4})(?!\d)/
/** Digits of Arabic and Persian, and wide ones of East Asian scripts. */
const OTHER_DIGITS = /[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g
/** The eras of Japan, with the years before their first ones: `令和6年` is 2024. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988 }
const ERA_YEAR = /(令和|平成)\s?(\d{1,2}|元)\s?(?=年)/g

/** `31.01.2026`, `1/31/26`; not part of a version or a URL. */
const NUMERIC = /(?<![\d.:/-])(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d/-]|[.:]\d)/

/**
 * Parses a date that is written for people: `January 31, 2026`, `31 janvier 2026`, `31.01.2026 10:00`.
 *
 * @param lang  Language of the page; English is always tried as well.
 * @returns     Milliseconds since 1970; `undefined` without day, month and year, and for relative dates.
 */
function parseWrittenDate(text: string, lang = 'en'): number | undefined {
  const digits = text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
  const ascii = digits.replace(ERA_YEAR, (_, era: string, year: string) =>
    String(ERAS[era]! + (year === '元' ? 1 : Number(year))),
  )
  const withIsoDate = ascii.replace(NUMERIC, (all, first: string, separator: string, second: string, year: string) => {
    const isDayFirst = separator === '.' || !MONTH_FIRST.test(lang)
    return toIsoDate(isDayFirst ? [first, second] : [second, first], year) ?? all
  })
  // A date has a day and a year; the parser of a language takes much longer to find none.
  if (!/\d{4}/.test(withIsoDate) || !/\d\D+\d/.test(withIsoDate)) return undefined
  const fixedForm = parseEastAsian(ascii) ?? parseVietnamese(ascii) ?? parseLocalMonth(ascii, lang)
  if (fixedForm !== undefined) return fixedForm
  const localParser = DAY_FIRST_ENGLISH.test(lang) ? chrono.en.GB : parserOf(lang)
  for (const parser of new Set([localParser, chrono.en.strict])) {
    const result = parser?.parse(withIsoDate).find(isFullDate)
    if (result) return toTime(result)
  }
  return parseMonthOfAnyLanguage(ascii)
}

/** Languages in which a page may be written without declaring it; the names of their months contradict each other nowhere. */
const UNDECLARED = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'nb', 'pl', 'cs', 'ru', 'tr']

function parseMonthOfAnyLanguage(text: string): number | undefined {
  const [, day, name = '', , year] = DAY_MONTH_YEAR.exec(text) ?? []
  if (!year) return undefined
  for (const language of UNDECLARED) {
    const month = findLocalMonth(name, language)
    if (month !== undefined) return toDay(year, month, day)
  }
  return undefined
}

/** Swaps day and month if their usual order is impossible. */
function toIsoDate([day, month]: readonly [string, string], year: string): string | undefined {
  if (Number(month) > 12) return Number(day) <= 12 ? toIsoDate([month, day], year) : undefined
  const fullYear = year.length === 2 ? `20${year}` : year
  return [fullYear, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
}

function parseEastAsian(text: string): number | undefined {
  const [, year, month, day] = EAST_ASIAN.exec(text) ?? []
  return toDay(year, Number(month), day)
}

function parseVietnamese(text: string): number | undefined {
  const [, day, month, year] = VIETNAMESE.exec(text) ?? []
  return toDay(year, Number(month), day)
}

/** Reads `12 marca 2024` in the languages that chrono does not know. */
function parseLocalMonth(text: string, lang: string): number | undefined {
  const language = normaliseLanguage(lang) ?? ''
  if (parserOf(lang)) return undefined
  const [, day, name = '', otherName = '', year] = DAY_MONTH_YEAR.exec(text) ?? []
  if (year) return toDay(year, findLocalMonth(name, language) ?? findLocalMonth(otherName, language), day)
  const [, firstYear, monthBefore, dayAfter, dayBefore, monthAfter] = YEAR_FIRST.exec(text) ?? []
  return toDay(firstYear, findLocalMonth(monthBefore ?? monthAfter ?? '', language), dayAfter ?? dayBefore)
}

function parserOf(lang: string): DateParser | undefined {
  const language = normaliseLanguage(lang) ?? ''
  return Object.hasOwn(parsers, language) ? parsers[language] : undefined
}

/** Years of Thailand are 543 greater. */
const BUDDHIST_ERA = { first: 2_500, offset: 543 }

function toDay(yearText = '', month: number | undefined, day = ''): number | undefined {
  const year = Number(yearText) >= BUDDHIST_ERA.first ? Number(yearText) - BUDDHIST_ERA.offset : Number(yearText)
  const time = month ? Date.UTC(year, month - 1, Number(day)) : Number.NaN
  const isValid = month && new Date(time).getUTCMonth() === month - 1 && new Date(time).getUTCDate() === Number(day)
  return isValid ? time : undefined
}

const isFullDate = ({ text, start }: chrono.ParsedResult) =>
  (['year', 'month', 'day'] as const).every((part) => start.isCertain(part)) && text.includes(String(start.get('year')))

function toTime({ start }: chrono.ParsedResult): number {
  const part = (name: chrono.Component) => start.get(name) ?? 0
  const [hour, minute, second] = start.isCertain('hour') ? [part('hour'), part('minute'), part('second')] : [0, 0, 0]
  const localTime = Date.UTC(part('year'), part('month') - 1, part('day'), hour, minute, second)
  return localTime - part('timezoneOffset') * 60_000
}

/** A day of each month of one year. */
const DAYS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)))
/** Countries with one language name the months differently. */
const LOCALES: Readonly<Record<string, readonly string[]>> = { ar: ['ar-EG', 'ar-SY', 'ar-MA'] }
const MAX_LANGUAGES = 50
const MIN_NAME_CHARS = 2

/** Names of months by language; limited, because each language takes some kilobytes. */
const known = new Map<string, ReadonlyMap<string, number>>()

/**
 * Finds the month with a name in the language, as written within a date: `marca` of `12 marca 2024`, or its beginning.
 *
 * @param lang  Two or three letters.
 * @returns     From 1; `undefined` when the language has no such month.
 */
function findLocalMonth(name: string, lang: string): number | undefined {
  const months = known.get(lang) ?? readMonths(lang)
  if (!known.has(lang) && known.size < MAX_LANGUAGES) known.set(lang, months)
  const key = keyOf(name)
  return months.get(key) ?? (lang === 'he' ? months.get(key.replace(/^ב/, '')) : undefined)
}

/** Arabic is often written without the marks on its first letter. */
const keyOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^[أإآ]/, 'ا')

function readMonths(lang: string): ReadonlyMap<string, number> {
  const months = new Map<string, number>()
  if (!/^[a-z]{2,3}$/.test(lang) || !Intl.DateTimeFormat.supportedLocalesOf(lang).length) return months
  for (const locale of LOCALES[lang] ?? [lang])
    for (const month of ['long', 'short'] as const)
      for (const options of [{ month, day: 'numeric' }, { month }] as const) {
        const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
        for (const [at, day] of DAYS.entries()) {
          const name = format.formatToParts(day).find(({ type }) => type === 'month')?.value ?? ''
          const key = keyOf(name)
          if (key.length >= MIN_NAME_CHARS && !months.has(key)) months.set(key, at + 1)
        }
      }
  return months
}
