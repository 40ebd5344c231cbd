const MAX_CHARS = 60
/** A year, also of the calendar of Thailand, where 2024 is 2567. */
const YEAR = /(?:^|\D)(?:19|20|25)\d\d(?:\D|$)/

/**
 * The part of a text that may state a date: all of a short one, or what stands in front of the dash at the begin of a press
 * release: `LISBON, March 12, 2024 — It rains.`
 *
 * @returns  `undefined` for a text without a year there.
 */
export function datedTextIn(text: string): string | undefined {
  const part = text.length <= MAX_CHARS ? text : dateline(text.slice(0, MAX_CHARS))
  return YEAR.test(part) ? part : undefined
}

function dateline(start: string): string {
  const end = start.search(/\s(?:--|[—–-])\s/)
  return end < 0 ? '' : start.slice(0, end)
}
