import * as chrono from 'chrono-node'

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
/** Dates with dots always put the day first. */
const DOTTED = /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b/

/**
 * Parses a date that is written for people: `January 31, 2026`, `31 janvier 2026`, `31.01.2026 10:00`.
 *
 * @param lang  Language of the page; English is always tried as well.
 * @returns     Milliseconds since 1970; `undefined` without day, month and year, and for relative dates.
 */
export function parseWrittenDate(text: string, lang = 'en'): number | undefined {
  if (!/\d{4}/.test(text) || !/\d\D|\D\d/.test(text)) return undefined
  const withIsoDate = text.replace(DOTTED, (_, day: string, month: string, year: string) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  )
  const localParser = DAY_FIRST_ENGLISH.test(lang) ? chrono.en.GB : parsers[lang.slice(0, 2).toLowerCase()]
  for (const parser of new Set([localParser, chrono.en.strict])) {
    const result = parser?.parse(withIsoDate).find(isFullDate)
    if (result) return toTime(result)
  }
  return undefined
}

const isFullDate = ({ text, start }: chrono.ParsedResult) =>
  (['year', 'month', 'day'] as const).every((part) => start.isCertain(part)) && text.includes(String(start.get('year')))

function toTime({ start }: chrono.ParsedResult): number {
  const part = (name: chrono.Component) => start.get(name) ?? 0
  const [hour, minute, second] = start.isCertain('hour') ? [part('hour'), part('minute'), part('second')] : [0, 0, 0]
  const localTime = Date.UTC(part('year'), part('month') - 1, part('day'), hour, minute, second)
  return localTime - part('timezoneOffset') * 60_000
}
