import type { PageQuery } from '../../query/index.js'
import { withTimeout } from '../jobs/index.js'
import type { PingContext } from './fetch/index.js'
import { fetchLinkedMetadata } from './fetch-linked-metadata.js'
import type { Candidates } from './find-candidates.js'
import { createPinger, type MediaKind, type Pinger, type PingResult } from './ping/index.js'
import type { DocumentReading, LinkedMetadata } from './read-document.js'
import { isFieldRequested, isPingRequested } from './requested-fields.js'

/** The fields whose value is a URL. */
export const urlFields = ['url', 'image', 'logo', 'audio', 'video'] as const
export type UrlField = (typeof urlFields)[number]

export interface SelectedUrl {
  url: string
  /** `undefined` when the URL was not checked. */
  ping?: PingResult
  /** Only when requested and the image could be decoded. */
  palette?: string[] | undefined
}

export interface UrlSelection {
  /** By field; fields without a URL are missing. */
  urls: Map<UrlField, SelectedUrl>
  /** Of all fields, including candidates from the documents that the page links to. */
  candidates: Candidates
  warnings: string[]
}

export interface SelectUrlsOptions extends PingContext {
  query: PageQuery
  pageUrl: string
  /** Reads the document again, with the metadata that it links to. */
  read: (linked: LinkedMetadata) => Promise<DocumentReading>
}

const TOTAL_TIMEOUT_MS = 4_000
const INCOMPLETE_WARNING = 'Not every URL of the page could be checked; unchecked URLs are omitted.'

const PALETTE_FIELDS: ReadonlySet<UrlField> = new Set(['image', 'logo'])

/** An audio player can also play the audio track of a video. */
const accepted: Readonly<Record<Exclude<UrlField, 'url'>, readonly MediaKind[]>> = {
  image: ['image'],
  logo: ['image'],
  audio: ['audio', 'video'],
  video: ['video'],
}

/**
 * Selects the URL of each requested field: its first publicly reachable candidate, or its first one where `ping` is off. Sends at
 * most 20 requests, 6 concurrently, within 4 seconds in total, including those for the documents that the page links to.
 *
 * @throws  The errors of `read`, and the reason of an aborted `signal`.
 */
export async function selectUrls(
  reading: DocumentReading,
  { query, pageUrl, read, signal, ...context }: SelectUrlsOptions,
): Promise<UrlSelection> {
  const urls: UrlSelection['urls'] = new Map()
  let { candidates } = reading
  const selectAll = async (signal: AbortSignal) => {
    const pinger = createPinger({ ...context, signal })
    const linked = await fetchLinkedMetadata(reading, { query, pinger })
    if (linked) candidates = (await read(linked)).candidates
    const select = async (field: UrlField) => {
      const selected = await selectUrl(field, candidates[field], { query, pinger, pageUrl })
      if (!selected) return
      // Set before the palette is computed, so that a timeout there does not lose the URL.
      urls.set(field, selected)
      if (query.palette && PALETTE_FIELDS.has(field) && selected.ping)
        urls.set(field, { ...selected, palette: await pinger.palette(selected.url, selected.ping) })
    }
    await Promise.all(urlFields.filter((field) => isFieldRequested(query, field)).map(select))
    return pinger.isIncomplete()
  }
  const timeoutError = () => new Error('not checked in time')
  const isIncomplete = await withTimeout(selectAll, { signal, timeoutMs: TOTAL_TIMEOUT_MS, timeoutError })
  signal.throwIfAborted()
  return { urls, candidates, warnings: isIncomplete ? [INCOMPLETE_WARNING] : [] }
}

interface SelectionContext {
  query: PageQuery
  pinger: Pinger
  pageUrl: string
}

async function selectUrl(
  field: UrlField,
  candidates: readonly string[],
  { query, pinger, pageUrl }: SelectionContext,
): Promise<SelectedUrl | undefined> {
  if (!isPingRequested(query, field)) return candidates[0] ? { url: candidates[0] } : undefined
  for (const url of candidates) {
    if (field === 'url' && url === pageUrl) return { url }
    const ping = await pinger.ping(url, field === 'url' ? 'page' : field === 'logo' ? 'image' : field)
    if (ping && (field === 'url' || (ping.kind && accepted[field].includes(ping.kind)))) return { url, ping }
  }
  return undefined
}
