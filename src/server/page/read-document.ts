import { decodeHtml } from '../charset/index.js'
import { parseHtml, type MetadataSources } from './document/index.js'
import { fileSources } from './file-sources.js'
import { findCandidates, type Candidates } from './find-candidates.js'
import { findDuration } from './find-duration.js'
import { isBotCheckHtml } from './is-bot-check-html.js'
import { lacksMetadata } from './lacks-metadata.js'
import { hasHighResolutionIcon } from './rules/index.js'
import { normaliseValue } from './values/index.js'

/** A response, and the metadata that it links to; all of it can be sent to a worker. */
export interface DocumentTask {
  /** The final URL, after redirects. */
  url: string
  statusCode: number
  headers: Readonly<Record<string, string>>
  /** Media type without parameters. */
  contentType: string
  /** As received, or serialised by a browser; `undefined` when the target is not HTML. */
  html: Uint8Array | string | undefined
  /** Whether the browser has seen that the page shows its content. Default: the document alone is judged for a bot check. */
  isContent?: boolean | undefined
  linked?: LinkedMetadata | undefined
  /** The requested URL, where the response is a consent wall at another address: then only what is known of that URL is used. */
  urlBehindConsentWall?: string | undefined
}

/** From the documents that a page links to. */
export type LinkedMetadata = Pick<MetadataSources, 'manifestIcons' | 'oembed'>

/** What a result needs from a document. */
export interface DocumentReading {
  /** Empty for a bot check. */
  candidates: Candidates
  /** Whole seconds, where the page states them. */
  durations: { audio: number | undefined; video: number | undefined }
  manifestUrl: string | undefined
  oembedUrl: string | undefined
  /** Whether the page itself declares an icon that the manifest would hardly improve on. */
  hasHighResolutionIcon: boolean
  isBotCheck: boolean
  /** Whether the page is an empty shell that its scripts fill. */
  lacksMetadata: boolean
}

/** Parses a document and applies all rules to it. Its time depends on the document alone, so it runs in a worker. */
export function readDocument({
  html: content,
  isContent,
  linked,
  urlBehindConsentWall,
  ...page
}: DocumentTask): DocumentReading {
  const html = content instanceof Uint8Array ? decodeHtml(content, page.headers['content-type'] ?? '') : content
  const pageSources = html ? parseHtml(html, page.url) : fileSources(page)
  const isCheck = !isContent && isBotCheckHtml({ ...page, html: html ?? '' }, pageSources)
  const ownSources = isCheck || urlBehindConsentWall ? parseHtml('', urlBehindConsentWall ?? page.url) : pageSources
  const sources = { ...ownSources, ...linked }
  const candidates = findCandidates(sources)
  return {
    candidates,
    durations: { audio: findDuration(sources, 'audio'), video: findDuration(sources, 'video') },
    manifestUrl: findLink(sources, ({ rels }) => rels.includes('manifest')),
    oembedUrl: findLink(sources, ({ type }) => type === 'application/json+oembed'),
    hasHighResolutionIcon: hasHighResolutionIcon(sources),
    isBotCheck: isCheck,
    lacksMetadata: lacksMetadata(sources, candidates),
  }
}

function findLink(
  sources: MetadataSources,
  isMatch: (link: MetadataSources['links'][number]) => boolean,
): string | undefined {
  const link = sources.links.find(isMatch)
  return link && normaliseValue('url', link.href, sources)
}
