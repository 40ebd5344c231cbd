import type { FileFacts } from './file-document.js'

// Calendars and contacts: https://www.rfc-editor.org/rfc/rfc5545 and https://www.rfc-editor.org/rfc/rfc6350

/** What a calendar or a list of contacts says: about itself, and in each of its entries. */
export interface ContentLines {
  facts: FileFacts
  entries: { title: string; date: string; text: string }[]
}

const MAX_LINES = 5_000
const MAX_ENTRIES = 100
const MAX_VALUE_CHARS = 500

interface Line {
  /** Upper case, without a group. */
  name: string
  value: string
}

/** Reads a calendar: its title is its name, or that of its only event. */
export function readCalendar(text: string, name: string): ContentLines {
  const lines = readLines(text)
  const components = split(lines, /^V(?:EVENT|TODO|JOURNAL)$/)
  const entries = components.map((component) => ({
    title: valueOf(component, 'SUMMARY'),
    date: dateOf(valueOf(component, 'DTSTART') || valueOf(component, 'DUE')),
    text: [valueOf(component, 'LOCATION'), valueOf(component, 'DESCRIPTION')].filter(Boolean).join(' · '),
  }))
  const titles = new Set(entries.map(({ title }) => title))
  const isOne = titles.size === 1
  const title = valueOf(lines, 'X-WR-CALNAME') || valueOf(lines, 'NAME') || (isOne && entries[0]?.title) || name
  const description =
    valueOf(lines, 'X-WR-CALDESC') || (isOne ? [entries[0]?.date, entries[0]?.text].filter(Boolean).join(' · ') : '')
  return { facts: { title, description }, entries }
}

/** Reads contacts: the title of a single one is its name. */
export function readContacts(text: string, name: string): ContentLines {
  const cards = split(readLines(text), /^VCARD$/)
  const entries = cards.map((card) => {
    const organisation = valueOf(card, 'ORG').split(';').filter(Boolean).join(', ')
    const text = [valueOf(card, 'TITLE'), organisation].filter(Boolean).join(' · ')
    return { title: valueOf(card, 'FN') || nameOf(valueOf(card, 'N')) || organisation, date: '', text }
  })
  const [only] = entries.length === 1 ? entries : []
  return { facts: { title: only?.title || name, description: only?.text }, entries }
}

/** Family name first: `Solheim;Mira;;;`. */
const nameOf = (parts: string) => parts.split(';').slice(0, 2).toReversed().filter(Boolean).join(' ')

/** A line that begins with a space goes on with the one before. */
function readLines(text: string): Line[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/, MAX_LINES)
  return lines.flatMap((line) => {
    const colon = endOfName(line)
    const name = line.slice(0, colon).split(';', 1).join().split('.').at(-1)!
    return colon < 0 ? [] : [{ name: name.trim().toUpperCase(), value: line.slice(colon + 1) }]
  })
}

/** The index of the first colon outside of quotes, which is behind the parameters of the name. */
function endOfName(line: string): number {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return at
  }
  return -1
}

/** The lines of each component of a kind, without those of the components within. */
function split(lines: readonly Line[], kind: RegExp): Line[][] {
  const components: Line[][] = []
  let open: Line[] | undefined
  let depth = 0
  for (const line of lines) {
    if (line.name === 'BEGIN') {
      if (open) depth++
      else if (kind.test(line.value.trim().toUpperCase())) open = []
    } else if (line.name === 'END' && open) {
      if (depth) depth--
      else {
        components.push(open)
        open = undefined
        if (components.length === MAX_ENTRIES) break
      }
    } else if (open && !depth) open.push(line)
  }
  return components
}

const valueOf = (lines: readonly Line[], name: string): string =>
  (lines.find((line) => line.name === name)?.value ?? '')
    .slice(0, MAX_VALUE_CHARS)
    .replace(/\\n/gi, ' ')
    .replace(/\\([\\,;])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** `2026-01-05 18:00` of `20260105T180000Z`. */
const dateOf = (value: string): string => {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d))?/.exec(value) ?? []
  if (!year) return ''
  return `${year}-${month}-${day}${hour ? ` ${hour}:${minute}` : ''}`
}
