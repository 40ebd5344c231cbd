import * as chrono from 'chrono-node'

interface DateReader {
  parse(text: string): chrono.ParsedResult[]
}

/** The languages whose dates are read as people write them; a page in another one may still write English. */
const readers: Readonly<Record<string, DateReader>> = {
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

/** English that writes the day first. */
const DAY_FIRST = /^en[-_](GB|AU|NZ|IE|IN|ZA)$/i
/** Nobody writes the month first with dots. */
const DOTTED = /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b/

/**
 * Reads a date that was written for people: `January 31, 2026`, `31 janvier 2026`, `31.01.2026 10:00`.
 *
 * @param lang  The page's, as it says it.
 * @returns     Milliseconds since 1970; `undefined` without day, month and year. What is relative to now is no date.
 */
export function readSpokenDate(text: string, lang = 'en'): number | undefined {
  if (!/\d{4}/.test(text) || !/\d\D|\D\d/.test(text)) return undefined
  const written = text.replace(DOTTED, (_, day: string, month: string, year: string) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  )
  const own = DAY_FIRST.test(lang) ? chrono.en.GB : readers[lang.slice(0, 2).toLowerCase()]
  for (const reader of new Set([own, chrono.en.strict])) {
    const found = reader?.parse(written).find(isWhole)
    if (found) return toTime(found)
  }
  return undefined
}

const isWhole = ({ text, start }: chrono.ParsedResult) =>
  (['year', 'month', 'day'] as const).every((part) => start.isCertain(part)) && text.includes(String(start.get('year')))

function toTime({ start }: chrono.ParsedResult): number {
  const part = (name: chrono.Component) => start.get(name) ?? 0
  const [hour, minute, second] = start.isCertain('hour') ? [part('hour'), part('minute'), part('second')] : [0, 0, 0]
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), hour, minute, second)
  return local - part('timezoneOffset') * 60_000
}
