const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T\s]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?/
const ZONE = /(Z|UTC|GMT|[+-]\d\d:?\d\d)\s*(\(.*\))?$/i
const SPOKEN =
  /\b(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})\.?,?\s+(\d{4})\b|\b([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/i

const EARLIEST_MS = Date.UTC(1990, 0)
const MAX_DATE_CHARS = 100
const DAY_MS = 86_400_000

/**
 * Reads a date in the forms that pages use; a time without zone is taken for UTC, a day without time for its midnight.
 *
 * @returns  ISO 8601, UTC; `undefined` for what is no date, or no date of a web page (before 1990, in the future).
 */
export function tidyDate(text: string, now: number = Date.now()): string | undefined {
  const trimmed = text.trim().slice(0, MAX_DATE_CHARS)
  const time = readIso(trimmed) ?? readEpoch(trimmed) ?? readSpoken(trimmed)
  if (time === undefined || !(time >= EARLIEST_MS && time <= now + DAY_MS)) return undefined
  return new Date(time).toISOString()
}

function readIso(text: string): number | undefined {
  const [start, year, month, day, hour = '00', minute = '00', second = '00'] = ISO.exec(text) ?? []
  if (!start) return undefined
  const [, zone = 'Z'] = ZONE.exec(text.slice(start.length)) ?? []
  const offset = zone.replace(/^(UTC|GMT)$/i, 'Z').replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset.toUpperCase()}`)
  return Number.isNaN(time) ? undefined : time
}

function readEpoch(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000
  return /^\d{13}$/.test(text) ? Number(text) : undefined
}

/** RFC 1123 and what English pages write. */
function readSpoken(text: string): number | undefined {
  if (/^\d+$/.test(text) || !/\d{4}/.test(text)) return undefined
  const whole = ZONE.test(text) ? Date.parse(text) : Date.parse(`${text} UTC`)
  if (!Number.isNaN(whole)) return whole
  const [, day, month, year, otherMonth, otherDay, otherYear] = SPOKEN.exec(text) ?? []
  const time = Date.parse(`${day ?? otherDay} ${month ?? otherMonth} ${year ?? otherYear} UTC`)
  return Number.isNaN(time) ? undefined : time
}
