/** Hours by abbreviation; of those with several meanings, the one that web pages state most. */
const HOURS: ReadonlyMap<string, number> = new Map(
  Array.from(
    (
      'Z 0 UT 0 UTC 0 GMT 0 WET 0 WEST 1 BST 1 CET 1 MEZ 1 CEST 2 MESZ 2 EET 2 EEST 3 MSK 3 TRT 3 WAT 1 CAT 2 SAST 2 EAT 3 GST 4 ' +
      'PKT 5 IST 5.5 NPT 5.75 ICT 7 WIB 7 WITA 8 SGT 8 HKT 8 PHT 8 MYT 8 AWST 8 JST 9 KST 9 WIT 9 ACST 9.5 ACDT 10.5 AEST 10 ' +
      'AEDT 11 NZST 12 NZDT 13 BRT -3 ART -3 CLT -4 NST -3.5 NDT -2.5 AST -4 ADT -3 EST -5 EDT -4 CST -6 CDT -5 MST -7 MDT -6 ' +
      'PST -8 PDT -7 AKST -9 AKDT -8 HST -10'
    ).matchAll(/([A-Z]+) (-?[\d.]+)/g),
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
  /[ \d.m]([([]?([A-Z]{1,5}|[A-Z][A-Za-z_]{1,20}\/[A-Z][A-Za-z_-]{1,30}(?:\/[A-Z][A-Za-z_-]{1,30})?)[)\]]?)$/
const HAS_TIME = /\d:\d\d|T\d{4}/
const HAS_OFFSET = /(?:\d(?:Z|UTC|GMT)|[\d ](?:UTC|GMT)?[+-]\d\d(?::?\d\d)?) ?$/i

export interface ZonedText {
  /** Without the name of the zone. */
  text: string
  /** Converts a time of the zone, read as if it were UTC. Milliseconds since 1970. */
  toUtc: (time: number) => number
}

/** Separates the name of a time zone from a date with a time; `undefined` for a text without a known one. */
export function readZoneName(text: string): ZonedText | undefined {
  const [, marked = '', name = ''] = ZONE_NAME.exec(text) ?? []
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
