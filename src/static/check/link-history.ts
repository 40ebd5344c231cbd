import { DAY_MS, queryLimits } from '../../query/help/index.js'
import { readTextFile, writeFile } from '../files.js'
import { entriesText, isDate, isObject, parseJson } from '../json.js'
import type { AttemptResult } from './inspect-link.js'

/** What earlier checks found of a link that failed. */
export interface FailingLink {
  /** ISO 8601: the first of the checks in a row in which it failed. */
  since: string
  /** Checks in a row. */
  checks: number
  /** ISO 8601: the latest of them. */
  latest: string
  reason: string
}

/** Failing links by URL. */
export type LinkHistory = Map<string, FailingLink>

interface LinkCheck {
  result: AttemptResult
  /** Milliseconds since 1970. */
  now: number
}

/** The record of a link after a check; `undefined` for a link that works. One that could not be judged keeps its record. */
export function nextRecord(
  known: FailingLink | undefined,
  { result: { outcome, reason = '' }, now }: LinkCheck,
): FailingLink | undefined {
  if (outcome === 'works') return undefined
  if (outcome === 'unclear') return known
  const latest = new Date(now).toISOString()
  return { since: known?.since ?? latest, checks: (known?.checks ?? 0) + 1, latest, reason }
}

/**
 * Whether a failing link counts as gone: after several checks, and if only its absence was noticed, after a day at the
 * earliest, because an outage of a site lasts for hours.
 */
export function isGone(
  { since, checks }: FailingLink,
  { result, now, goneAfter }: LinkCheck & { goneAfter: number },
): boolean {
  return checks >= goneAfter && (result.outcome === 'absent' || now - Date.parse(since) >= DAY_MS)
}

const VERSION = 1
const MAX_BYTES = 16_000_000
const MAX_REASON_CHARS = 500
const MAX_CHECKS = 1_000_000

/**
 * Reads the failing links of earlier checks.
 *
 * @returns  Empty if there is no file.
 * @throws   Error with a sentence when it cannot be read.
 */
export async function readHistory(path: string): Promise<LinkHistory> {
  const text = await readTextFile(path, MAX_BYTES)
  return text === undefined ? new Map() : parseHistory(text, path)
}

/** @throws  Error with a sentence; invalid entries are left out. */
export function parseHistory(text: string, path: string): LinkHistory {
  const file = parseJson(text)
  if (!isObject(file) || !isObject(file.links)) throw damaged(path, 'is not a record of link checks')
  if (file.version !== VERSION)
    throw new Error(`${path} is not version ${VERSION}, which this program reads: update page-preview-server.`)
  const links = Object.entries(file.links).flatMap(([url, value]): [string, FailingLink][] => {
    const link = parseLink(value)
    return link && /^https?:/i.test(url) && url.length <= queryLimits.valueChars ? [[url, link]] : []
  })
  return new Map(links)
}

export const historyText = (history: LinkHistory): string => entriesText('links', VERSION, history)

/** Writes the file if its content changes; without failing links none is created. */
export async function writeHistory(path: string, history: LinkHistory): Promise<void> {
  const current = await readTextFile(path, MAX_BYTES)
  const text = historyText(history)
  if (current === undefined ? history.size > 0 : current !== text) await writeFile(path, text)
}

function parseLink(value: unknown): FailingLink | undefined {
  if (!isObject(value)) return undefined
  const { since, checks, latest, reason } = value
  if (!isDate(since) || !isDate(latest) || typeof reason !== 'string') return undefined
  if (!Number.isInteger(checks) || Number(checks) < 1 || Number(checks) > MAX_CHECKS) return undefined
  return { since, checks: Number(checks), latest, reason: reason.slice(0, MAX_REASON_CHARS) }
}

const damaged = (path: string, problem: string) =>
  new Error(
    `${path} ${problem}. Restore the file from version control, or delete it: counting the checks then starts anew.`,
  )
