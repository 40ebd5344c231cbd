/** Files that are no HTML, and that the service reads to describe and to show them. */
export type FileKind = 'pdf' | TextKind
export type TextKind = 'json' | 'xml' | 'csv' | 'markdown' | 'text'

const KINDS: Readonly<Record<string, FileKind>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'application/acrobat': 'pdf',
  'text/pdf': 'pdf',
  'application/json': 'json',
  'text/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'application/javascript': 'text',
  'application/x-javascript': 'text',
  'application/typescript': 'text',
  'application/yaml': 'text',
  'application/x-yaml': 'text',
  'application/toml': 'text',
  'application/sql': 'text',
  'application/graphql': 'text',
  'application/x-sh': 'text',
  'application/x-ndjson': 'text',
}

/** Types that say nothing about a file, or only that it is text; then its extension decides. */
const VAGUE = /^(?:application\/(?:octet-stream|download|force-download|x-download)|binary\/octet-stream|text\/plain)$/
const EXTENSIONS: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  json: 'json',
  geojson: 'json',
  xml: 'xml',
  rss: 'xml',
  atom: 'xml',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
}

/** Not files: they never end, or consist of parts. */
const STREAMS = /^(?:text\/event-stream|multipart\/)/
/** Documents that browsers show as pages. */
const PAGES = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)$/

/**
 * The kind of a file by its media type; a type that says nothing is decided by the extension.
 *
 * @param contentType  Without parameters, lower case.
 * @param name         The name of the file, or its URL.
 * @returns            `undefined` for a page, and for what the service does not read.
 */
export function fileKind(contentType: string, name: string): FileKind | undefined {
  if (PAGES.test(contentType) || STREAMS.test(contentType)) return undefined
  if (VAGUE.test(contentType)) {
    const byExtension = EXTENSIONS[extensionOf(name)]
    if (byExtension) return byExtension
  }
  if (Object.hasOwn(KINDS, contentType)) return KINDS[contentType]
  if (contentType.endsWith('+json')) return 'json'
  if (contentType.endsWith('+xml')) return 'xml'
  return contentType.startsWith('text/') ? 'text' : undefined
}

function extensionOf(name: string): string {
  const path = URL.canParse(name) ? new URL(name).pathname : name
  return /\.([a-z]{2,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** The start of a PDF; some programs write a few bytes before it. */
export const looksLikePdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 1_024)).toString('latin1').includes('%PDF-')
