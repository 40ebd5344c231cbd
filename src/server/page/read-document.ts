import { decodeHtml } from '../charset.js'
import { parseHtml, type MetadataSources } from './document/index.js'
import { findCandidates, type Candidates } from './find-candidates.js'
import { findDuration } from './fields/duration.js'
import { imageAlts } from './fields/image.js'
import { hasHighResolutionIcon } from './fields/logo.js'
import { normaliseValue } from './values/index.js'
import type { PageState } from '../../query/index.js'
import { judgeDocument } from '../page-state/index.js'
import type { FetchedPage } from './fetch/index.js'
import { fileHead, type FileFacts } from './file-document.js'
import type { TextKind } from './file-kind.js'
import { fileName } from './file-name.js'
import { mediaKind } from './media-type.js'
import { findOembedUrls } from './oembed.js'
import { readTextFile, type TextFile } from './text-file.js'

/** A response, and the metadata that it links to; all of it can be sent to a worker. */
export interface DocumentTask {
  /** Default: `url`. */
  requestedUrl?: string | undefined
  /** The final URL, after redirects. */
  url: string
  statusCode: number
  headers: Readonly<Record<string, string>>
  /** Media type without parameters. */
  contentType: string
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
  linked?: LinkedMetadata | undefined
}

/** Metadata from the documents that a page links to. */
export type LinkedMetadata = Pick<MetadataSources, 'manifestIcons' | 'oembed'>

/** What a result needs from a document. */
export interface DocumentReading {
  /** With a `state` only what is known of the URL. */
  candidates: Candidates
  /** Whole seconds, if the page states them. */
  durations: { audio: number | undefined; video: number | undefined }
  /** Alternative texts of the candidates for the image, by their URLs. */
  imageAlts: Readonly<Record<string, string>>
  manifestUrl: string | undefined
  /** Its oEmbed documents, the preferred one first. */
  oembedUrls: string[]
  /** Whether the page itself declares an icon that the manifest would hardly improve on. */
  hasHighResolutionIcon: boolean
  /** What the document shows instead of the content of the page, see `judgeDocument`. */
  state: PageState | undefined
  /** The HTML document that shows a file of text; `undefined` for others, or if it is not needed. */
  view: string | undefined
  /** Whether the page is an empty shell that its scripts fill. */
  lacksMetadata: boolean
}

/** Parses a document and applies all rules to it. Its time depends on the document alone, so it runs in a worker. */
export function readDocument({
  html: content,
  isContent,
  linked,
  requestedUrl,
  textFile,
  facts,
  needsView = false,
  ...page
}: DocumentTask): DocumentReading {
  const html = content instanceof Uint8Array ? decodeHtml(content, page.headers['content-type'] ?? '') : content
  const file = textFile && readFileOf(page, textFile, needsView)
  const head = file?.head ?? (facts && fileHead(facts))
  const pageSources = html ? parseHtml(html, page.url) : fileSources(page, head)
  const state = isContent ? undefined : judgeDocument({ ...page, requestedUrl: requestedUrl ?? page.url, html })
  const ownSources = state ? parseHtml('', urlOfPage(state, page.url, requestedUrl)) : pageSources
  const sources = { ...ownSources, ...linked }
  const candidates = findCandidates(sources)
  return {
    candidates,
    durations: { audio: findDuration(sources, 'audio'), video: findDuration(sources, 'video') },
    imageAlts: imageAlts(sources, candidates.image),
    manifestUrl: findLink(sources, ({ rels }) => rels.includes('manifest')),
    oembedUrls: state ? [] : findOembedUrls({ ...page, sources }),
    hasHighResolutionIcon: hasHighResolutionIcon(sources),
    state,
    view: file?.view,
    lacksMetadata: lacksMetadata(sources, candidates),
  }
}

function readFileOf(
  { url, headers }: Pick<DocumentTask, 'url' | 'headers'>,
  { kind, bytes }: { kind: TextKind; bytes: Uint8Array },
  needsView: boolean,
): TextFile {
  const text = decodeHtml(bytes, headers['content-type'] ?? '')
  return readTextFile({ kind, text }, { name: fileName(url, headers) || new URL(url).host, needsView })
}

function findLink(
  sources: MetadataSources,
  isMatch: (link: MetadataSources['links'][number]) => boolean,
): string | undefined {
  const link = sources.links.find(isMatch)
  return link && normaliseValue('url', link.href, sources)
}

/** Enough for "Loading…" and the links of a footer. */
const MAX_SHELL_CHARS = 200

const TITLE_METAS = ['og:title', 'twitter:title', 'headline', 'dc.title', 'dcterms.title']

/**
 * Whether a page is an empty shell before its scripts have run: no title but the plain `<title>`, no description, no image, hardly
 * any text, and scripts that may add them. Never true for a page with a state or a file, which rendering would not change.
 */
function lacksMetadata(
  { scriptCount, textChars, metas, body, jsonLd }: MetadataSources,
  { description, image }: Candidates,
): boolean {
  if (!scriptCount || textChars > MAX_SHELL_CHARS || body.heading.some((text) => text.trim())) return false
  if (TITLE_METAS.some((name) => metas.has(name)) || jsonLd.mainEntities.length) return false
  return !description.length && !image.length
}

/** A bot check is at the address of the page; an error, a login form or a consent wall may be at its own. */
const urlOfPage = (state: PageState, url: string, requestedUrl = url) => (state === 'bot-check' ? url : requestedUrl)

/** The metadata sources of a target that is not HTML: what a file states, or else its file name as title, and itself as image, audio or video. */
export function fileSources(
  { url, contentType, headers }: Pick<FetchedPage, 'url' | 'contentType' | 'headers'>,
  head?: string,
): MetadataSources {
  const kind = mediaKind(contentType)
  const title = fileName(url, headers) || new URL(url).host
  const sources = head === undefined ? { ...parseHtml('', url), title } : parseHtml(head, url)
  return { ...sources, body: kind ? { ...sources.body, [kind]: [url] } : sources.body }
}
