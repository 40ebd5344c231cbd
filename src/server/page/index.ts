export { createDocumentReader } from './create-document-reader.js'
export { decodeImageUrl } from './data-url.js'
export type { FileView } from './file-document.js'
export { MAX_HTML_CHARS } from './document/metadata-sources.js'
export { fileKind, isHtml, isUnknownType, parseContentType } from './media-type.js'
export {
  fetchFile,
  fetchImage,
  followRedirects,
  isFollowedRefresh,
  readBody,
  SUPPORTED_ENCODINGS,
} from './fetch/index.js'
export type { FetchFileOptions } from './fetch/index.js'
export { createFetchQueue, readOptedOutPage, readPage, readRenderedPage } from './read-page.js'
export type { PageParts, PageReadResult } from './read-page.js'
export { OPT_OUT_HEADER, OPT_OUT_NAME, parseOptOut, strictest } from './opt-out.js'
export type { OptOut } from './opt-out.js'
export { createRobots } from './robots.js'
