import prettyBytes from 'pretty-bytes'
import type { Media, PageData, PageQuery } from '../../query/index.js'
import { candidateId } from '../explainer.js'
import {
  describeCandidates,
  MAX_LISTED,
  type CandidateLists,
  type UrlCheck,
  type UrlChecks,
} from './describe-candidates.js'
import type { Candidates, RankedCandidates } from './find-candidates.js'
import { formatDuration } from './fields/duration.js'
import type { DocumentReading, LinkedMetadata } from './read-document.js'
import { withTimeout } from '../jobs/index.js'
import type { PingParts } from './fetch/index.js'
import { createPinger, type Pinger, type PingResult, type VerifiedUrl } from './ping.js'
import type { MediaKind } from './media-type.js'
import { isJsonObject, readSloppyJson, type PageIcon } from './document/index.js'
import { readOembed } from './oembed.js'
import { isCardImage } from './fields/image.js'
import { isIcon, manifestIcons } from './fields/logo.js'
import type { MetadataField } from './fields/index.js'

export interface ExtractedMetadata extends CandidateLists {
  data: PageData
  warnings: string[]
  /** Whether a URL could not be verified for a reason that may be over soon; see `Pinger`. */
  isUnverified: boolean
}

/** The fields whose value is a URL. */
const urlFields = ['url', 'image', 'logo', 'audio', 'video'] as const
type UrlField = (typeof urlFields)[number]

interface SelectedUrl {
  url: string
  /** `undefined` when the URL was not checked, or could not be verified. */
  ping?: VerifiedUrl
  /** Present only if requested, and if the image could be decoded. */
  palette?: string[] | undefined
}

interface UrlSelection {
  /** The selected URLs by field; fields without a URL are missing. */
  urls: Map<UrlField, SelectedUrl>
  /** The candidates of all fields, including those from documents that the page links to. */
  candidates: Candidates
  /** The same with their sources, if they are needed. */
  ranked: RankedCandidates | undefined
  /** What the checks of URLs have found out, by field. */
  checks: Map<MetadataField, UrlChecks>
  warnings: string[]
  isUnverified: boolean
}

/** The page whose metadata is selected. */
interface PageSource {
  query: PageQuery
  pageUrl: string
  /** Reads the document again, with the metadata that it links to. */
  read: (linked: LinkedMetadata) => Promise<DocumentReading>
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date'] as const
const FRAME_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date', 'image', 'audio', 'video'] as const
const OEMBED_FIELDS = ['title', 'author', 'publisher', 'image'] as const
const TOTAL_TIMEOUT_MS = 5_000
/** The next candidate is checked too when one has not been verified by then. */
const PATIENCE_MS = 1_000
const INCOMPLETE_WARNING = 'Not every URL of the page could be checked; unchecked URLs are omitted.'

/** The kinds of media that a field accepts, the expected one first. An audio player can also play the audio track of a video. */
const accepted: Readonly<Record<Exclude<UrlField, 'url'>, readonly [MediaKind, ...MediaKind[]]>> = {
  image: ['image'],
  logo: ['image'],
  audio: ['audio', 'video'],
  video: ['video'],
}

const isImageField = (field: UrlField) => field === 'image' || field === 'logo'

/** Selects the values of the requested fields; with `ping`, every URL among them is reachable, unless `isUnverified`. */
export async function extractMetadata(
  reading: DocumentReading,
  page: PageSource,
  parts: PingParts,
): Promise<ExtractedMetadata> {
  const { query } = page
  const { urls, candidates, ranked, checks, warnings, isUnverified } = await selectUrls(reading, page, parts)
  const data = { ...selectTexts(query, candidates), ...createUrlFields(query, urls, reading) }
  return {
    data,
    warnings: [...pickWarnings(query, candidates, urls, checks), ...warnings],
    isUnverified,
    ...(ranked && describeRequested(query, ranked, { data, checks })),
  }
}

function selectTexts(query: PageQuery, candidates: Candidates): PageData {
  const fields = TEXT_FIELDS.filter((field) => isFieldRequested(query, field))
  const valueOf = (field: (typeof TEXT_FIELDS)[number]) =>
    (field === 'title' ? pickedFirst(candidates.title, query.title?.pick) : candidates[field])[0] ?? null
  return Object.fromEntries(fields.map((field) => [field, valueOf(field)]))
}

/** The candidates with the picked one before the others, if the page still states it. */
function pickedFirst(candidates: readonly string[], pick: string | undefined): readonly string[] {
  const picked = pick === undefined ? undefined : candidates.find((value) => candidateId(value) === pick)
  return picked === undefined ? candidates : [picked, ...candidates.filter((value) => value !== picked)]
}

/** A sentence for each pick that the result does not have. */
function pickWarnings(
  query: PageQuery,
  { title, image }: Candidates,
  urls: UrlSelection['urls'],
  checks: UrlSelection['checks'],
): string[] {
  const warnings: string[] = []
  const warn = (field: 'title' | 'image', pick: string, problem: string) =>
    warnings.push(
      `${field}.pick: the ${field} with the id ${pick} ${problem}; the result has the best ${field} instead.`,
    )
  const { title: { pick: titlePick } = {}, image: { pick: imagePick } = {} } = query
  if (
    titlePick !== undefined &&
    isFieldRequested(query, 'title') &&
    !title.some((text) => candidateId(text) === titlePick)
  )
    warn('title', titlePick, 'is not on the page')
  if (imagePick === undefined || !isFieldRequested(query, 'image')) return warnings
  const picked = image.find((url) => candidateId(url) === imagePick)
  if (picked === undefined) warn('image', imagePick, 'is not on the page')
  else if (urls.get('image')?.url !== picked) {
    warn('image', imagePick, checks.get('image')?.get(picked)?.problem ?? 'was not checked in time')
  }
  return warnings
}

/** What `candidates` and `explain` add for the requested fields. */
function describeRequested(
  query: PageQuery,
  ranked: RankedCandidates,
  selection: { data: PageData; checks: UrlSelection['checks'] },
): CandidateLists {
  const names = Object.keys(ranked) as MetadataField[]
  return describeCandidates(
    query,
    Object.fromEntries(names.filter((field) => isFieldRequested(query, field)).map((field) => [field, ranked[field]])),
    selection,
  )
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
    else
      data[field] = selected
        ? { ...createMedia(selected), ...durationOf(field, selected, reading), ...altOf(field, selected, reading) }
        : null
  }
  return data
}

function createMedia({ url, ping, palette }: SelectedUrl): Media {
  const { type = null, size = null, width = null, height = null } = ping ?? {}
  const size_pretty = size === null ? null : prettyBytes(size)
  return { url, type, size, size_pretty, width, height, ...(palette && { palette }) }
}

const altOf = (field: UrlField, { url }: SelectedUrl, { imageAlts }: DocumentReading): Partial<Media> =>
  field === 'image' && imageAlts[url] !== undefined ? { alt: imageAlts[url] } : {}

/** Like the size, the duration is only stated for a URL that was checked. */
function durationOf(field: UrlField, { ping }: SelectedUrl, { durations }: DocumentReading): Partial<Media> {
  if (!ping || (field !== 'audio' && field !== 'video')) return {}
  const duration = durations[field]
  return duration === undefined ? {} : { duration, duration_pretty: formatDuration(duration) }
}

/**
 * Selects the URL of each requested field: its first publicly reachable candidate, or its first one if `ping` is off. Sends at
 * most 20 requests, 6 concurrently, within 5 seconds in total, including those for the documents that the page links to.
 *
 * @throws  The errors of `read`, and the reason of an aborted `signal`.
 */
async function selectUrls(
  reading: DocumentReading,
  { query, pageUrl, read }: PageSource,
  parts: PingParts,
): Promise<UrlSelection> {
  const urls: UrlSelection['urls'] = new Map()
  const checks: UrlSelection['checks'] = new Map()
  const warnings: string[] = []
  let { candidates, ranked } = reading
  const selectAll = async (signal: AbortSignal) => {
    const pinger = createPinger({ ...parts, signal })
    const linked = await fetchLinkedMetadata(reading, { query, pinger })
    if (linked) ({ candidates, ranked } = await read(linked))
    const select = async (field: UrlField) => {
      const own = field === 'image' ? pickedFirst(candidates.image, query.image?.pick) : candidates[field]
      const known: UrlChecks = new Map()
      checks.set(field, known)
      const { selected, warning } = await selectUrl(field, own, { query, pinger, pageUrl, checks: known })
      if (warning) warnings.push(warning)
      if (!selected) return
      // Set before the palette is computed, so that a timeout there does not lose the URL.
      urls.set(field, selected)
      if (query.palette && isImageField(field) && selected.ping)
        urls.set(field, { ...selected, palette: await pinger.palette(selected.url, selected.ping) })
    }
    await Promise.all(urlFields.filter((field) => isFieldRequested(query, field)).map(select))
    // What fails among the others does not concern the selected ones.
    const outcome = { isIncomplete: pinger.isIncomplete(), isUnverified: pinger.isUnverified() }
    const known = checks.get('image')
    if (query.candidates && known && isPingRequested(query, 'image'))
      await checkOthers(candidates.image, { pinger, pageUrl, checks: known })
    return outcome
  }
  const timeoutError = () => new Error('not checked in time')
  const { isIncomplete, isUnverified } = await withTimeout(selectAll, {
    signal: parts.signal,
    timeoutMs: TOTAL_TIMEOUT_MS,
    timeoutError,
  })
  parts.signal.throwIfAborted()
  if (isIncomplete) warnings.push(INCOMPLETE_WARNING)
  return { urls, candidates, ranked, checks, warnings, isUnverified }
}

/**
 * Selects among the candidates of a field: the first one that is verified, or else an image that could not be verified, which the result
 * keeps rather than losing it.
 */
async function selectUrl(
  field: UrlField,
  candidates: readonly string[],
  { query, pinger, pageUrl, checks }: Pick<PageSource, 'query' | 'pageUrl'> & { pinger: Pinger; checks: UrlChecks },
): Promise<{ selected?: SelectedUrl; warning?: string }> {
  if (!isPingRequested(query, field)) return candidates[0] ? { selected: { url: candidates[0] } } : {}
  const timed = timePings(pinger)
  const ping = (url: string) =>
    field === 'url' && url === pageUrl ? PAGE : timed.ping(url, field === 'url' ? 'page' : accepted[field][0])
  let kept: SelectedUrl | undefined
  let warning: string | undefined
  for (const [at, url] of candidates.entries()) {
    const next = candidates[at + 1]
    const result = await withHeadStart(ping(url), () => next !== undefined && ping(next))
    if (result !== PAGE)
      checks.set(url, { ...checkOf(field, result, { isPage: url === pageUrl }), durationMs: timed.durationOf(url) })
    if (result === PAGE) return { selected: { url }, ...(warning && { warning }) }
    if (result.verdict === 'verified' && isAccepted(field, result, { isPage: url === pageUrl }))
      return { selected: { url, ping: result }, ...(warning && { warning }) }
    if (result.verdict !== 'unverified') continue
    warning ??= `The ${field} could not be verified: ${new URL(url).host} ${result.reason}.`
    if (isImageField(field)) kept ??= { url }
  }
  return { ...(kept && { selected: kept }), ...(warning && { warning }) }
}

/** Checks the images that a list of candidates has besides the selected one. */
async function checkOthers(
  urls: readonly string[],
  { pinger, pageUrl, checks }: { pinger: Pinger; pageUrl: string; checks: UrlChecks },
): Promise<void> {
  const others = urls.slice(0, MAX_LISTED).filter((url) => !checks.has(url))
  const timed = timePings(pinger)
  const check = async (url: string) => {
    const result = await timed.ping(url, 'image')
    checks.set(url, { ...checkOf('image', result, { isPage: url === pageUrl }), durationMs: timed.durationOf(url) })
  }
  await Promise.all(others.map(check))
}

/** Measures the first ping of each URL. */
function timePings(pinger: Pinger) {
  const durations = new Map<string, number>()
  return {
    async ping(url: string, expected: Parameters<Pinger['ping']>[1]): Promise<PingResult> {
      const startedAt = performance.now()
      const result = await pinger.ping(url, expected)
      if (!durations.has(url)) durations.set(url, performance.now() - startedAt)
      return result
    },
    durationOf: (url: string) => durations.get(url) ?? 0,
  }
}

/** What a check has found out, with the reason if its URL is not used. */
function checkOf(field: UrlField, ping: PingResult, { isPage }: { isPage: boolean }): Omit<UrlCheck, 'durationMs'> {
  if (ping.verdict === 'unverified') return { problem: `could not be checked, because its host ${ping.reason}` }
  if (ping.verdict === 'unreachable') return { problem: ping.reason }
  if (isAccepted(field, ping, { isPage })) return { file: ping }
  const { type, width, height } = ping
  const isMisfit = isImageField(field) && width !== null && height !== null
  const problem = isMisfit
    ? `is too small, with ${width} × ${height} pixels`
    : `is a file of the type ${type ?? 'unknown'}`
  return { file: ping, problem }
}

/** The page itself, which has been read. */
const PAGE: VerifiedUrl = { verdict: 'verified', kind: undefined, type: null, size: null, width: null, height: null }

/** Starts another check when one takes long, and returns the result of the first. */
async function withHeadStart<Result>(first: Result | Promise<Result>, startNext: () => unknown): Promise<Result> {
  const timer = setTimeout(startNext, PATIENCE_MS)
  try {
    return await first
  } finally {
    clearTimeout(timer)
  }
}

/** @param isPage  Whether the URL is the one of the page: an image that was requested may have any size. */
const isAccepted = (field: UrlField, ping: VerifiedUrl, { isPage }: { isPage: boolean }): boolean =>
  field === 'url' ||
  (ping.kind !== undefined &&
    accepted[field].includes(ping.kind) &&
    (field !== 'image' || isPage || isCardImage(ping)) &&
    (field !== 'logo' || isIcon(ping)))

/**
 * Fetches the metadata documents that a page links to, if they can improve the result: the web app manifest for a larger icon,
 * the oEmbed document for missing fields, the frame that shows the content of a page. Fields that are not requested, or not pinged, never cause a request.
 *
 * @returns  The content of all; `undefined` when none could be read.
 */
export async function fetchLinkedMetadata(
  { candidates, hasHighResolutionIcon, ...urls }: DocumentReading,
  { query, pinger }: { query: PageQuery; pinger: Pinger },
): Promise<LinkedMetadata | undefined> {
  const mayFetch = (field: MetadataField) => isFieldRequested(query, field) && isPingRequested(query, field)
  const needsIcon = mayFetch('logo') && !hasHighResolutionIcon
  const needsOembed = OEMBED_FIELDS.some((field) => mayFetch(field) && !candidates[field].length)
  const manifestUrl = needsIcon ? urls.manifestUrl : undefined
  const frameUrl = FRAME_FIELDS.some(mayFetch) ? urls.frameUrl : undefined
  const [icons, oembed, frame] = await Promise.all([
    manifestUrl ? fetchManifestIcons(manifestUrl, pinger) : [],
    fetchOembed(needsOembed ? urls.oembedUrls : [], pinger),
    frameUrl === undefined ? undefined : pinger.fetchDocument(frameUrl),
  ])
  return icons.length || oembed.size || frame ? { manifestIcons: icons, oembed, frame } : undefined
}

async function fetchManifestIcons(url: string, pinger: Pinger): Promise<PageIcon[]> {
  const manifest = readSloppyJson((await pinger.fetchText(url)) ?? '').find(isJsonObject)
  return manifest ? manifestIcons(manifest, url) : []
}

/** The content of the first document that states something. */
async function fetchOembed(urls: readonly string[], pinger: Pinger): Promise<LinkedMetadata['oembed']> {
  for (const url of urls) {
    const oembed = readOembed((await pinger.fetchText(url)) ?? '', url)
    if (oembed.size) return oembed
  }
  return new Map()
}

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
