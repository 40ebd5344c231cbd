import prettyBytes from 'pretty-bytes'
import type { Media, PageData, PageQuery } from '../../query/index.js'
import type { Candidates } from './find-candidates.js'
import { formatDuration } from './find-duration.js'
import type { DocumentReading, LinkedMetadata } from './read-document.js'
import { withTimeout } from '../jobs/index.js'
import type { PingParts } from './fetch/index.js'
import { createPinger, type Pinger, type PingResult } from './ping.js'
import type { MediaKind } from './media-type.js'
import { iconSize, isJsonObject, type JsonObject, type PageIcon } from './document/index.js'
import { resolveUrl, type MetadataField } from './values/index.js'

export interface ExtractedMetadata {
  data: PageData
  warnings: string[]
  /** When the candidates were known and the pings began; `performance.now()`. */
  pingStartedAt: number
}

/** The fields whose value is a URL. */
const urlFields = ['url', 'image', 'logo', 'audio', 'video'] as const
type UrlField = (typeof urlFields)[number]

interface SelectedUrl {
  url: string
  /** `undefined` when the URL was not checked. */
  ping?: PingResult
  /** Present only if requested, and if the image could be decoded. */
  palette?: string[] | undefined
}

interface UrlSelection {
  /** The selected URLs by field; fields without a URL are missing. */
  urls: Map<UrlField, SelectedUrl>
  /** The candidates of all fields, including those from documents that the page links to. */
  candidates: Candidates
  warnings: string[]
}

/** The page whose metadata is selected. */
interface PageSource {
  query: PageQuery
  pageUrl: string
  /** Reads the document again, with the metadata that it links to. */
  read: (linked: LinkedMetadata) => Promise<DocumentReading>
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date'] as const
const OEMBED_FIELDS = ['title', 'author', 'publisher', 'image'] as const
const MAX_MANIFEST_ICONS = 30
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

/** Selects the values of the requested fields; with `ping`, every URL among them is reachable. */
export async function extractMetadata(
  reading: DocumentReading,
  page: PageSource,
  parts: PingParts,
): Promise<ExtractedMetadata> {
  const pingStartedAt = performance.now()
  const { query } = page
  const { urls, candidates, warnings } = await selectUrls(reading, page, parts)
  const data = { ...selectTexts(query, candidates), ...createUrlFields(query, urls, reading) }
  return { data, warnings, pingStartedAt }
}

function selectTexts(query: PageQuery, candidates: Candidates): PageData {
  const fields = TEXT_FIELDS.filter((field) => isFieldRequested(query, field))
  return Object.fromEntries(fields.map((field) => [field, candidates[field][0] ?? null]))
}

function createUrlFields(
  query: PageQuery,
  urls: ReadonlyMap<UrlField, SelectedUrl>,
  reading: DocumentReading,
): PageData {
  const data: PageData = {}
  for (const field of urlFields.filter((field) => isFieldRequested(query, field))) {
    const selected = urls.get(field)
    if (field === 'url') data.url = selected?.url ?? null
    else data[field] = selected ? { ...createMedia(selected), ...durationOf(field, selected, reading) } : null
  }
  return data
}

function createMedia({ url, ping, palette }: SelectedUrl): Media {
  const { type = null, size = null, width = null, height = null } = ping ?? {}
  const size_pretty = size === null ? null : prettyBytes(size)
  return { url, type, size, size_pretty, width, height, ...(palette && { palette }) }
}

/** Like the size, the duration is only stated for a URL that was checked. */
function durationOf(field: UrlField, { ping }: SelectedUrl, { durations }: DocumentReading): Partial<Media> {
  if (!ping || (field !== 'audio' && field !== 'video')) return {}
  const duration = durations[field]
  return duration === undefined ? {} : { duration, duration_pretty: formatDuration(duration) }
}

/**
 * Selects the URL of each requested field: its first publicly reachable candidate, or its first one if `ping` is off. Sends at
 * most 20 requests, 6 concurrently, within 4 seconds in total, including those for the documents that the page links to.
 *
 * @throws  The errors of `read`, and the reason of an aborted `signal`.
 */
async function selectUrls(
  reading: DocumentReading,
  { query, pageUrl, read }: PageSource,
  parts: PingParts,
): Promise<UrlSelection> {
  const urls: UrlSelection['urls'] = new Map()
  let { candidates } = reading
  const selectAll = async (signal: AbortSignal) => {
    const pinger = createPinger({ ...parts, signal })
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
  const isIncomplete = await withTimeout(selectAll, { signal: parts.signal, timeoutMs: TOTAL_TIMEOUT_MS, timeoutError })
  parts.signal.throwIfAborted()
  return { urls, candidates, warnings: isIncomplete ? [INCOMPLETE_WARNING] : [] }
}

async function selectUrl(
  field: UrlField,
  candidates: readonly string[],
  { query, pinger, pageUrl }: Pick<PageSource, 'query' | 'pageUrl'> & { pinger: Pinger },
): Promise<SelectedUrl | undefined> {
  if (!isPingRequested(query, field)) return candidates[0] ? { url: candidates[0] } : undefined
  for (const url of candidates) {
    if (field === 'url' && url === pageUrl) return { url }
    const ping = await pinger.ping(url, field === 'url' ? 'page' : field === 'logo' ? 'image' : field)
    if (ping && (field === 'url' || (ping.kind && accepted[field].includes(ping.kind)))) return { url, ping }
  }
  return undefined
}

/**
 * Fetches the metadata documents that a page links to, if they can improve the result: the web app manifest for a larger icon,
 * the oEmbed document for missing fields. Fields that are not requested, or not pinged, never cause a request.
 *
 * @returns  The content of both; `undefined` when neither could be read.
 */
export async function fetchLinkedMetadata(
  { candidates, hasHighResolutionIcon, ...urls }: DocumentReading,
  { query, pinger }: { query: PageQuery; pinger: Pinger },
): Promise<LinkedMetadata | undefined> {
  const mayFetch = (field: MetadataField) => isFieldRequested(query, field) && isPingRequested(query, field)
  const needsIcon = mayFetch('logo') && !hasHighResolutionIcon
  const needsOembed = OEMBED_FIELDS.some((field) => mayFetch(field) && !candidates[field].length)
  const manifestUrl = needsIcon ? urls.manifestUrl : undefined
  const oembedUrl = needsOembed ? urls.oembedUrl : undefined
  const [manifest, oembed] = await Promise.all([
    manifestUrl ? pinger.fetchJson(manifestUrl) : undefined,
    oembedUrl ? pinger.fetchJson(oembedUrl) : undefined,
  ])
  if (!isJsonObject(manifest) && !isJsonObject(oembed)) return undefined
  return {
    manifestIcons: isJsonObject(manifest) && manifestUrl ? readIcons(manifest, manifestUrl) : [],
    oembed: isJsonObject(oembed) ? readStrings(oembed) : new Map(),
  }
}

/** https://www.w3.org/TR/appmanifest/#icons-member */
function readIcons({ icons }: JsonObject, manifestUrl: string): PageIcon[] {
  if (!Array.isArray(icons)) return []
  return icons.slice(0, MAX_MANIFEST_ICONS).flatMap((icon: unknown): PageIcon[] => {
    if (!isJsonObject(icon) || typeof icon.src !== 'string') return []
    const { sizes = '', purpose = 'any' } = icon
    // A monochrome icon has no colours, and a maskable one has a wide margin.
    if (typeof purpose === 'string' && !purpose.toLowerCase().split(/\s+/).includes('any')) return []
    const href = resolveUrl(icon.src, { baseUrl: manifestUrl, url: manifestUrl })
    if (href === undefined) return []
    return [{ href, ...iconSize(typeof sizes === 'string' ? sizes : '', href) }]
  })
}

const readStrings = (document: JsonObject) =>
  new Map(Object.entries(document).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** Whether `meta` requests a field: by default all; if one is `true`, only those. */
function isFieldRequested({ meta = true }: PageQuery, field: MetadataField): boolean {
  if (typeof meta === 'boolean') return meta
  const isSelection = Object.values(meta).some(Boolean)
  return meta[field] ?? !isSelection
}

/** Whether the URL of a field is to be checked: `ping.<field>`, written nested or dotted, takes precedence over `ping`. */
function isPingRequested(query: PageQuery, field: MetadataField): boolean {
  const { ping = true } = query
  const dotted = query[`ping.${field}`]
  if (dotted !== undefined) return dotted
  return typeof ping === 'boolean' ? ping : (ping[field] ?? true)
}
