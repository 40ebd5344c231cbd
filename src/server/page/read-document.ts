import { decodeHtml } from '../charset.js'
import { parseHtml, parseRenderedHtml, readLinkHeader, type MetadataSources } from './document/index.js'
import {
  rankCandidates,
  valuesOf,
  withoutRepetition,
  type Candidates,
  type RankedCandidates,
} from './find-candidates.js'
import { findDuration } from './fields/duration.js'
import { imageAlts } from './fields/image.js'
import type { MetadataField } from './fields/index.js'
import { declaresIcon, hasHighResolutionIcon } from './fields/logo.js'
import { isGeneric, resolveUrl } from './values/index.js'
import type { PageState } from '../../query/index.js'
import { explainDocument, judgeDocument, type JudgedDocument } from '../page-state/index.js'
import type { FetchedPage, LinkedDocument } from './fetch/index.js'
import { fileHead, type FileFacts } from './file-document.js'
import { fileName } from './file-name.js'
import { mayBeImage, mediaKind, parseContentType, type TextKind } from './media-type.js'
import { findOembedUrls } from './oembed.js'
import { OPT_OUT_HEADER, OPT_OUT_NAME, parseOptOut, type OptOut } from './opt-out.js'
import { rankRenderedCandidates, summarise, type DocumentSummary } from './script-pages.js'
import { readTextFile, type TextFile } from './text-file.js'

/** A response, and the metadata that it links to; all of it can be sent to a worker. */
export interface DocumentTask extends Pick<FetchedPage, 'url' | 'statusCode' | 'headers' | 'contentType'> {
  /** Default: `url`. */
  requestedUrl?: string | undefined
  /** The HTML as received, or as a browser serialised it; `undefined` if the target is not HTML. */
  html: Uint8Array | string | undefined
  /** The target, if it is text that is no HTML. */
  textFile?: { kind: TextKind; bytes: Uint8Array } | undefined
  /** What a PDF states. */
  facts?: FileFacts | undefined
  /** Whether a screenshot shows the target. */
  needsView?: boolean | undefined
  /** Whether the browser has seen that the page shows its content. Default: the document alone is judged. */
  isContent?: boolean | undefined
  /** Whether the operator ignores that the page may want no preview. Default: false. */
  ignoresOptOut?: boolean | undefined
  linked?: LinkedMetadata | undefined
  /** Whether the candidates are needed with their sources and scores, also those that are not used. */
  isExplained?: boolean | undefined
  /** The document as it was fetched, if `html` is the one after its scripts have run. */
  before?: DocumentSummary | undefined
}

/** Metadata from the documents that a page links to. */
export interface LinkedMetadata extends Pick<MetadataSources, 'manifestIcons' | 'oembed'> {
  /** The document in the frame that shows the content of the page. */
  frame?: LinkedDocument | undefined
}

/** What a result needs from a document. */
export interface DocumentReading {
  /** With a `state` only what is known of the URL. */
  candidates: Candidates
  /** The same with their sources and scores, if they are explained. */
  ranked?: RankedCandidates | undefined
  /** What the document shows, if it is explained. */
  shown?: { title: string | null; textChars: number; stateReason: string | undefined } | undefined
  /** Whole seconds, if the page states them. */
  durations: { audio: number | undefined; video: number | undefined }
  /** Alternative texts of the candidates for the image, by their URLs. */
  imageAlts: Readonly<Record<string, string>>
  manifestUrl: string | undefined
  /** Its oEmbed documents, the preferred one first. */
  oembedUrls: string[]
  /** URL of the frame that shows its content. */
  frameUrl: string | undefined
  /** Whether the page itself declares an icon that the manifest would hardly improve on. */
  hasHighResolutionIcon: boolean
  /** What the page does not want, in its document or its headers; with `none`, the state is `opted-out`. */
  optOut: OptOut | undefined
  /** What the document shows instead of the content of the page, see `judgeDocument`. */
  state: PageState | undefined
  /** The HTML document that shows a file of text; `undefined` for others, or if it is not needed. */
  view: string | undefined
  /** For the comparison with the document after its scripts have run; `undefined` if they cannot improve the metadata. */
  summary: DocumentSummary | undefined
  /** Whether this is the document after its scripts have run, and the one as fetched describes the page better. */
  isWorse: boolean
}

const XHTML = 'application/xhtml+xml'
const XML = /[/+]xml$/

/** Parses a document and applies all rules to it. Its time depends on the document alone, so it runs in a worker. */
export function readDocument({
  html: content,
  isContent,
  linked,
  requestedUrl,
  before,
  textFile,
  facts,
  needsView = false,
  isExplained = false,
  ignoresOptOut = false,
  ...page
}: DocumentTask): DocumentReading {
  const html = content instanceof Uint8Array ? decodeHtml(content, page.headers['content-type'] ?? '') : content
  const file = textFile && readFileOf(page, textFile, needsView)
  const head = file?.head ?? (facts && fileHead(facts))
  const isXml = parseContentType(page.headers['content-type']) === XHTML
  const parsed = html && before ? parseRenderedHtml(html, page.url, before.declarations, { isXml }) : undefined
  const document = parsed?.all ?? (html === undefined ? fileSources(page, head) : parseHtml(html, page.url, { isXml }))
  const pageSources = withHeaderLinks(document, page.headers)
  const rendered = parsed && { ...parsed, all: pageSources }
  const judged = { ...page, requestedUrl: requestedUrl ?? page.url, html }
  const optOut = ignoresOptOut ? undefined : optOutOf(page.headers, pageSources)
  const state = optOut === 'none' ? 'opted-out' : isContent ? undefined : judgeDocument(judged)
  const ownSources = state ? sourcesOfState(state, pageSources, requestedUrl) : pageSources
  const { frame, ...linkedSources } = linked ?? {}
  const sources = { ...ownSources, ...linkedSources }
  const withUnusable = isExplained
  const better =
    rendered &&
    before &&
    optOut !== 'none' &&
    rankRenderedCandidates(
      { all: { ...rendered.all, ...linkedSources }, added: { ...rendered.added, ...linkedSources } },
      before,
      { withUnusable },
    )
  const found = better || rankCandidates(sources, { withUnusable })
  const ownCandidates = optOut === 'none' ? { ...found, logo: [] } : found
  const ranked = frame ? withFrame(ownCandidates, frame) : ownCandidates
  const candidates = valuesOf(ranked)
  const manifest = sources.links.find(({ rels }) => rels.includes('manifest'))
  return {
    candidates,
    ...(isExplained && { ranked, shown: shownBy(pageSources, judged, state) }),
    durations: { audio: findDuration(sources, 'audio'), video: findDuration(sources, 'video') },
    imageAlts: imageAlts(sources, candidates.image),
    manifestUrl: manifest && resolveUrl(manifest.href, sources),
    oembedUrls: state ? [] : findOembedUrls(sources),
    frameUrl: sources.mainFrame === undefined ? undefined : resolveUrl(sources.mainFrame, sources),
    hasHighResolutionIcon: hasHighResolutionIcon(sources),
    optOut,
    state,
    view: file?.view,
    summary: isContent ? undefined : summarise(sources, candidates),
    isWorse: before !== undefined && !better && optOut !== 'none',
  }
}

const optOutOf = (headers: DocumentTask['headers'], { metas }: MetadataSources): OptOut | undefined =>
  parseOptOut(headers[OPT_OUT_HEADER], ...(metas.get(OPT_OUT_NAME) ?? []))

/** Fields of which a frame states nothing better than the page around it. */
const PAGE_FIELDS = new Set<MetadataField>(['url', 'logo'])

function shownBy(
  { title, textChars }: MetadataSources,
  judged: JudgedDocument,
  state: PageState | undefined,
): DocumentReading['shown'] {
  return { title: title?.trim() || null, textChars, stateReason: state && explainDocument(judged) }
}

/** The candidates of a page and those of the frame with its content, which may state a longer title around its own: `Title : Site`. */
function withFrame(candidates: RankedCandidates, { url, bytes, contentType }: LinkedDocument): RankedCandidates {
  const inFrame = rankCandidates(parseHtml(decodeHtml(bytes, contentType), url))
  const title = valuesOf(candidates).title[0] ?? ''
  const [better] = inFrame.title
  const isBetter = better !== undefined && (isGeneric(title) || title.includes(better.value))
  const merged = { ...candidates }
  for (const field of Object.keys(candidates) as MetadataField[]) {
    if (PAGE_FIELDS.has(field)) continue
    const isFirst = field === 'title' && isBetter
    const own = inFrame[field].map((candidate) => ({ ...candidate, source: `${candidate.source} of the frame` }))
    const lists = [candidates[field], own]
    merged[field] = withoutRepetition((isFirst ? lists.toReversed() : lists).flat())
  }
  return merged
}

/** A `<link>` takes precedence over the same link in the header of the response. */
const withHeaderLinks = (sources: MetadataSources, { link = '' }: DocumentTask['headers']): MetadataSources =>
  link ? { ...sources, links: [...sources.links, ...readLinkHeader(link, sources.url)] } : sources

function readFileOf(
  { url, headers }: Pick<DocumentTask, 'url' | 'headers'>,
  { kind, bytes }: { kind: TextKind; bytes: Uint8Array },
  needsView: boolean,
): TextFile {
  const text = decodeHtml(bytes, withXmlEncoding(headers['content-type'] ?? '', bytes))
  return readTextFile({ kind, text }, { name: fileName(url, headers) || new URL(url).host, needsView })
}

/** XML declares its encoding at its start. */
function withXmlEncoding(contentType: string, bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const [, encoding] = /^\s*<\?xml[^<>]*\sencoding\s*=\s*["']([\w-]+)/.exec(start) ?? []
  return encoding && !/charset/i.test(contentType) ? `${contentType};charset=${encoding}` : contentType
}

/**
 * What is known of a page from a document that is not its content: its URL, and the icon of the site. A bot check is at the address of
 * the page, with an icon of its own; an error, a login form or a consent wall may be at another address. Of a page that wants no preview
 * only the URL is shown.
 */
function sourcesOfState(
  state: PageState,
  { url, baseUrl, links }: MetadataSources,
  requestedUrl = url,
): MetadataSources {
  if (state === 'bot-check') return parseHtml('', url)
  const sources = parseHtml('', requestedUrl)
  if (state === 'opted-out') return sources
  if (new URL(url).host !== new URL(requestedUrl).host) return sources
  return { ...sources, baseUrl, links: links.filter(declaresIcon) }
}

/** The metadata sources of a target that is not HTML: what a file states, or else its file name as title, and itself as image, audio or video. */
export function fileSources(
  { url, contentType, headers }: Pick<FetchedPage, 'url' | 'contentType' | 'headers'>,
  head?: string,
): MetadataSources {
  const name = fileName(url, headers)
  const kind = mediaKind(contentType) ?? (mayBeImage(contentType, name) ? 'image' : undefined)
  const title = name || new URL(url).host
  const sources =
    head === undefined ? { ...parseHtml('', url), title } : parseHtml(head, url, { isXml: XML.test(contentType) })
  return { ...sources, body: kind ? { ...sources.body, [kind]: [url] } : sources.body }
}
