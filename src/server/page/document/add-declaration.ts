import type { Attributes } from './attributes.js'
import { iconSize } from './icon-size.js'
import { metaNames } from './meta-names.js'
import type { PageLink } from './metadata-sources.js'

const MAX_DECLARATIONS = 500
const MAX_VALUES_PER_META = 30
const MAX_CONTENT_CHARS = 10_000
const MAX_TITLE_CHARS = 200
const MAX_MEDIA_CHARS = 200
/** Longest part of `rel` that is read. */
const MAX_RELS_CHARS = 2_000

/** Adds what a `<meta>` declares, under each of its names. */
export function addMeta(
  metas: Map<string, string[]>,
  { name, property, itemprop, 'http-equiv': httpEquiv, content }: Attributes,
): void {
  if (!content || metas.size >= MAX_DECLARATIONS) return
  for (const key of metaNames([name, property, itemprop, httpEquiv])) {
    const values = metas.get(key) ?? []
    if (values.length < MAX_VALUES_PER_META) metas.set(key, [...values, content.slice(0, MAX_CONTENT_CHARS)])
  }
}

/** Adds a `<link>`. */
export function addLink(
  links: PageLink[],
  { rel, href, sizes = '', media = '', type = '', title = '' }: Attributes,
): void {
  if (!rel || !href || links.length >= MAX_DECLARATIONS) return
  const rels = rel.slice(0, MAX_RELS_CHARS).toLowerCase().split(/\s+/)
  links.push({
    rels,
    href,
    media: media.slice(0, MAX_MEDIA_CHARS),
    type: type.trim().toLowerCase(),
    title: title.slice(0, MAX_TITLE_CHARS),
    ...iconSize(sizes, href),
  })
}
