import { createHash } from 'node:crypto'
import { resolveUrl } from '../values/index.js'
import type { Attributes, IconSize, PageLink } from './metadata-sources.js'
import { isJsonObject, readSloppyJson } from './sloppy-json.js'

/** What the head of a document declares: its title, `<meta>`, `<link>` and JSON-LD. */
export interface Declared {
  title: string | undefined
  metas: ReadonlyMap<string, readonly string[]>
  links: readonly PageLink[]
  jsonLdScripts: readonly string[]
}

const MAX_DECLARATIONS = 500
const MAX_VALUES_PER_META = 30
const MAX_CONTENT_CHARS = 10_000
const MAX_TITLE_CHARS = 200
const MAX_MEDIA_CHARS = 200
/** Longest part of a list of names or of `rel` that is read. */
const MAX_TOKENS_CHARS = 2_000

/** Adds what a `<meta>` declares, under each of its names. Twitter has accepted `value` in place of `content`. */
export function addMeta(
  metas: Map<string, string[]>,
  { name, property, itemprop, 'http-equiv': httpEquiv, value, content = value }: Attributes,
): void {
  if (!content || metas.size >= MAX_DECLARATIONS) return
  for (const key of metaNames([name, property, itemprop, httpEquiv])) {
    const values = metas.get(key) ?? []
    if (values.length < MAX_VALUES_PER_META) metas.set(key, [...values, content.slice(0, MAX_CONTENT_CHARS)])
  }
}

/**
 * The names that a `<meta>` declares, in lower case, several in one attribute separated by spaces. Names of Dublin Core are
 * `dc.creator` and `dcterms.creator`, however they are written.
 *
 * @param attributes  The values of `name`, `property` and the like.
 */
export function metaNames(attributes: readonly (string | undefined)[]): Set<string> {
  const names = new Set<string>()
  for (const attribute of attributes) {
    if (!attribute) continue
    const list = attribute.slice(0, MAX_TOKENS_CHARS).trim().toLowerCase()
    for (const name of /\s/.test(list) ? list.split(/\s+/) : [list]) names.add(dublinCoreName(name))
  }
  return names
}

const dublinCoreName = (name: string) =>
  name.startsWith('dc') ? name.replace(/^dc[:.]/, 'dc.').replace(/^dc-?terms?[:.]/, 'dcterms.') : name

/** Adds a `<link>`. */
export function addLink(
  links: PageLink[],
  { rel, href, sizes = '', media = '', type = '', title = '' }: Attributes,
): void {
  if (!rel || !href || links.length >= MAX_DECLARATIONS) return
  const rels = rel.slice(0, MAX_TOKENS_CHARS).toLowerCase().split(/\s+/)
  links.push({
    rels,
    href,
    media: media.slice(0, MAX_MEDIA_CHARS),
    type: type.trim().toLowerCase(),
    title: title.slice(0, MAX_TITLE_CHARS),
    ...iconSize(sizes, href),
  })
}

/** https://www.rfc-editor.org/rfc/rfc8288#section-3; commas may also be part of a URL, so they separate nothing here. */
const HEADER_LINK = /<([^<>]*)>([^<>]*)/g
const PARAMETER = /;\s*([a-z]{1,20})\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/gi
const MAX_HEADER_CHARS = 10_000

/**
 * The links that a response states in its `Link` header, as `<link>` elements would state them, with absolute URLs. A link of another
 * resource than the response, which has an `anchor`, is left out.
 *
 * @param header  The values of all such headers, joined with commas.
 * @param url     Of the response.
 */
export function readLinkHeader(header: string, url: string): PageLink[] {
  const links: PageLink[] = []
  for (const [, target = '', text = ''] of header.slice(0, MAX_HEADER_CHARS).matchAll(HEADER_LINK)) {
    const parameters = new Map<string, string>()
    for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER))
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain)
    const href = resolveUrl(target, { baseUrl: url, url })
    if (href !== undefined && !parameters.has('anchor')) addLink(links, { ...Object.fromEntries(parameters), href })
  }
  return links
}

const MAX_SIZES_CHARS = 200
const MAX_HREF_CHARS = 8_192
/** A vector icon ranks between a touch icon and the small bitmaps. */
const VECTOR_PX = 128

/** Reads the size of an icon from its `sizes` attribute, or else from its file name. */
export function iconSize(sizes: string, href: string): IconSize {
  const declaredSizes = parseSizes(sizes.slice(0, MAX_SIZES_CHARS))
  if (declaredSizes.length) return largest(declaredSizes)
  if (/\.svg([?#]|$)|^\s*data:image\/svg/i.test(href.slice(0, MAX_HREF_CHARS)))
    return { size: VECTOR_PX, isSquare: true }
  if (/^\s*data:/i.test(href)) return { size: 0, isSquare: true }
  return largest(parseSizes(href.slice(-MAX_SIZES_CHARS)))
}

const parseSizes = (text: string): IconSize[] =>
  [...text.matchAll(/(?<!\d)(\d{2,4})x(\d{2,4})(?!\d)/gi)].map(([, width, height]) => ({
    size: Math.max(Number(width), Number(height)),
    isSquare: width === height,
  }))

const largest = (sizes: readonly IconSize[]) =>
  sizes.reduce((best, other) => (other.size > best.size ? other : best), { size: 0, isSquare: true })

/** The keys of the JSON, by the names of `<meta>` that state the same one by one. */
const PARSELY_NAMES = {
  title: 'parsely-title',
  author: 'parsely-author',
  authors: 'parsely-author',
  pub_date: 'parsely-pub-date',
  image_url: 'parsely-image-url',
} as const

const MAX_AUTHORS = 10

/**
 * Reads `<meta name="parsely-page">`, which states all metadata as JSON.
 *
 * @returns  The values that the page does not state otherwise, by the name of a `<meta>`.
 * @see      https://docs.parse.ly/install/basic/repeated-meta-tags/
 */
export function readParselyPage(metas: ReadonlyMap<string, readonly string[]>): [name: string, values: string[]][] {
  const page = readSloppyJson(metas.get('parsely-page')?.[0] ?? '').find(isJsonObject) ?? {}
  return Object.entries(PARSELY_NAMES).flatMap(([key, name]): [string, string[]][] => {
    const values = [page[key]]
      .flat()
      .slice(0, MAX_AUTHORS)
      .filter((value) => typeof value === 'string')
    return values.length && !metas.has(name) ? [[name, values]] : []
  })
}

const MAX_FINGERPRINTS = 1_000

/** Fingerprints of all declarations of a document, to tell which ones its scripts have added later. */
export const declarationsOf = ({ title, metas, links, jsonLdScripts }: Declared): string[] =>
  [
    ...(title === undefined ? [] : [titleId(title)]),
    ...links.map(({ rels, href }) => linkId(rels, href)),
    ...jsonLdScripts.map(scriptId),
    ...[...metas].flatMap(([name, values]) => values.map((value) => metaId(name, value))),
  ].slice(0, MAX_FINGERPRINTS)

/** Only the declarations that are not among those of an earlier document. */
export function declarationsAfter(
  earlier: ReadonlySet<string>,
  { title, metas, links, jsonLdScripts }: Declared,
): Declared {
  const newMetas = [...metas].map(([name, values]): [string, string[]] => [
    name,
    values.filter((value) => !earlier.has(metaId(name, value))),
  ])
  return {
    title: title !== undefined && earlier.has(titleId(title)) ? undefined : title,
    metas: new Map(newMetas.filter(([, values]) => values.length > 0)),
    links: links.filter(({ rels, href }) => !earlier.has(linkId(rels, href))),
    jsonLdScripts: jsonLdScripts.filter((script) => !earlier.has(scriptId(script))),
  }
}

const titleId = (title: string) => fingerprint('title', title)
const linkId = (rels: readonly string[], href: string) => fingerprint('link', rels.join(' '), href)
const scriptId = (script: string) => fingerprint('script', script)
const metaId = (name: string, value: string) => fingerprint('meta', name, value)

/** Spaces do not count, because scripts that write the same again may format it otherwise. */
const fingerprint = (...parts: string[]) =>
  createHash('sha1')
    .update(parts.map((part) => part.replace(/\s+/g, ' ').trim()).join('\0'))
    .digest('base64')
    .slice(0, 12)
