import { readSpokenDate } from './read-spoken-date.js'

/** Extended and basic; a day may stand alone. */
const ISO =
  /^(\d{4})(?:-(\d\d)-(\d\d)|\/(\d{1,2})\/(\d{1,2})|(\d\d)(\d\d)(?=T|$))(?:[T\s]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?/
const ZONE = /(Z|UTC|GMT|[+-]\d\d:?\d\d)\s*(\(.*\))?$/i
/** RFC 2822 and what `Date` prints. */
const MAIL =
  /^[a-z]{3,9},?\s+(\d{1,2}\s+[a-z]{3}|[a-z]{3}\s+\d{1,2})\s+\d{4}\s+[\d:]{4,8}\s+(GMT|UTC|Z|[+-]\d{4}|GMT[+-]\d{4})(\s+\(.*\))?$/i

const EARLIEST_MS = Date.UTC(1990, 0)
const MAX_DATE_CHARS = 100
const DAY_MS = 86_400_000

export interface DateOptions {
  /** The page's, as it says it: `en-GB`; decides what `01/02/2026` and the names of months mean. Default: American English. */
  lang?: string | undefined
  now?: number
}

/**
 * Reads a date in the forms that pages use; a time without zone is taken for UTC, a day without time for its midnight.
 *
 * @returns  ISO 8601, UTC; `undefined` for what is no date, or no date of a web page (before 1990, in the future).
 */
export function tidyDate(text: string, { lang, now = Date.now() }: DateOptions = {}): string | undefined {
  const trimmed = text.trim().slice(0, MAX_DATE_CHARS)
  const time = readIso(trimmed) ?? readEpoch(trimmed) ?? readMail(trimmed) ?? readSpokenDate(trimmed, lang)
  if (time === undefined || !(time >= EARLIEST_MS && time <= now + DAY_MS)) return undefined
  return new Date(time).toISOString()
}

function readIso(text: string): number | undefined {
  const [start, year, ...parts] = ISO.exec(text) ?? []
  if (!start) return undefined
  const [month = '', day = '', hour = '00', minute = '00', second = '00'] = [
    parts[0] ?? parts[2] ?? parts[4],
    parts[1] ?? parts[3] ?? parts[5],
    ...parts.slice(6),
  ]
  const [, zone = 'Z'] = ZONE.exec(text.slice(start.length)) ?? []
  const offset = zone.replace(/^(UTC|GMT)$/i, 'Z').replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return known(Date.parse(`${date}T${hour}:${minute}:${second}${offset.toUpperCase()}`))
}

function readEpoch(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000
  return /^\d{13}$/.test(text) ? Number(text) : undefined
}

const readMail = (text: string) => (MAIL.test(text) ? known(Date.parse(text)) : undefined)
const known = (time: number) => (Number.isNaN(time) ? undefined : time)
