import * as chrono from 'chrono-node'
import { findLocalMonth } from './local-months.js'

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
const EAST_ASIAN = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日號号일]/
/** The month may have two names: `آذار/مارس`. */
const DAY_MONTH_YEAR =
  /(?<!\d)(\d{1,2})[.]?\s(?:de\s)?([\p{L}\p{M}]{2,15})(?:\/([\p{L}\p{M}]{2,15}))?[.,]?\s(?:de\s)?(\d{4})(?!\d)/u
/** `2024. március 12.`, `2024. gada 12. marts`, `2024 m. kovo 12 d.` */
const YEAR_FIRST =
  /(?<!\d)(\d{4})\.?\s(?:\p{L}{1,4}\.?\s)?(?:([\p{L}\p{M}]{3,15})\.?\s(\d{1,2})|(\d{1,2})\.?\s([\p{L}\p{M}]{3,15}))(?!\d)/u
const VIETNAMESE = /(?<!\d)(\d{1,2}) tháng (\d{1,2}),?(?: năm)? (\d{4})(?!\d)/
/** Digits of Arabic and Persian. */
const OTHER_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g

/** `31.01.2026`, `1/31/26`; not part of a version or a URL. */
const NUMERIC = /(?<![\d.:/-])(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?![\d/-]|[.:]\d)/

/**
 * Parses a date that is written for people: `January 31, 2026`, `31 janvier 2026`, `31.01.2026 10:00`.
 *
 * @param lang  Language of the page; English is always tried as well.
 * @returns     Milliseconds since 1970; `undefined` without day, month and year, and for relative dates.
 */
export function parseWrittenDate(text: string, lang = 'en'): number | undefined {
  const ascii = text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
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
  const language = primaryLanguage(lang)
  if (parserOf(lang)) return undefined
  const [, day, name = '', otherName = '', year] = DAY_MONTH_YEAR.exec(text) ?? []
  if (year) return toDay(year, findLocalMonth(name, language) ?? findLocalMonth(otherName, language), day)
  const [, firstYear, monthBefore, dayAfter, dayBefore, monthAfter] = YEAR_FIRST.exec(text) ?? []
  return toDay(firstYear, findLocalMonth(monthBefore ?? monthAfter ?? '', language), dayAfter ?? dayBefore)
}

/** The language without its region, in two letters if there is such a code: `de` of `deu` and `de_AT`. */
function primaryLanguage(lang: string): string {
  const [code = ''] = /^[a-z]{2,3}(?![a-z])/i.exec(lang) ?? []
  return (code && Intl.getCanonicalLocales(code)[0]) || ''
}

function parserOf(lang: string): DateParser | undefined {
  const language = primaryLanguage(lang)
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
