import type { BodyProperty, JsonLdNode, MetadataSources } from '../document/index.js'

/** Yields texts for one field from the sources, best first, unprocessed. */
export type TextReader = (sources: MetadataSources) => Iterable<string | undefined>

/** Where candidates of a field come from, with a name that explains why a value was selected. */
export interface Rule {
  source: string
  read: TextReader
  /** The source of one of its texts, if it reads several sources that are equally good. */
  sourceOf?: (text: string, sources: MetadataSources) => string | undefined
}

export const rule = (source: string, read: TextReader): Rule => ({ source, read })

/** `<meta>` by `name`, `property` or `itemprop`, in order of preference. */
export const meta = (...names: string[]): Rule => ({
  source: `meta ${names[0]}`,
  read: ({ metas }) => names.flatMap((name) => metas.get(name) ?? []),
  sourceOf: (text, { metas }) => names.flatMap((name) => (metas.get(name)?.includes(text) ? `meta ${name}` : []))[0],
})

/** `<link rel>`, in document order. */
export const link = (rel: string): Rule =>
  rule(`link ${rel}`, ({ links }) => links.filter(({ rels }) => rels.includes(rel)).map(({ href }) => href))

/** JSON-LD property of the main entities: `mainEntity('author', 'name')`. */
export const mainEntity = (...path: string[]): Rule =>
  rule(`JSON-LD ${path.join('.')}`, ({ jsonLd }) => jsonLd.mainEntities.flatMap((node) => node.texts(...path)))

/** JSON-LD property of the main entities with a matching type: `mainEntityOfType(/Audio/, 'contentUrl')`. */
export const mainEntityOfType = (type: RegExp, ...path: string[]): Rule =>
  rule(`JSON-LD ${path.join('.')}`, ({ jsonLd }) => textsOfType(jsonLd.mainEntities, type, path))

/** JSON-LD property of the page or its site, if the type matches. */
export const pageNode = (type: RegExp, ...path: string[]): Rule =>
  rule(`JSON-LD page ${path.join('.')}`, ({ jsonLd }) => textsOfType(jsonLd.pages, type, path))

/** JSON-LD property of an organisation. */
export const organisation = (...path: string[]): Rule =>
  rule(`JSON-LD organisation ${path.join('.')}`, ({ jsonLd }) => textsOfType(jsonLd.others, ORGANISATION, path))

/** Types of JSON-LD for companies, sites and other groups. */
export const ORGANISATION = /Organi[sz]ation|Corporation|Brand$/

const textsOfType = (nodes: readonly JsonLdNode[], type: RegExp, path: readonly string[]) =>
  nodes.filter(({ types }) => types.some((name) => type.test(name))).flatMap((node) => node.texts(...path))

/** A string of the oEmbed document. */
export const oembed = (name: string): Rule => rule(`oEmbed ${name}`, ({ oembed }) => [oembed.get(name)])

/** A property in the body. */
export const bodyProperty = (property: BodyProperty): Rule => rule(property, ({ body }) => body[property])

/** A property in the main article. */
export const articleProperty = (property: BodyProperty): Rule => rule(property, ({ article }) => article[property])

/** A property near the headline; too many different ones are a list of teasers. */
export const nearHeadlineProperty = (
  property: BodyProperty,
  { normalise, max }: { normalise: (text: string, sources: MetadataSources) => string | undefined; max: number },
): Rule =>
  rule(property, (sources) => {
    const texts = [...new Set(sources.nearHeadline[property])].slice(0, MAX_DISTINCT_TEXTS)
    if (texts.length <= max) return texts
    const values = new Set(texts.flatMap((text) => normalise(text, sources) ?? []))
    return values.size > max ? [] : texts
  })

/** A property that has only one value in the whole body; with several, as in a list of teasers, none of them is used. */
export const uniqueBodyProperty = (
  property: BodyProperty,
  normalise: (text: string, sources: MetadataSources) => string | undefined = shortText,
): Rule =>
  rule(property, (sources) => {
    const texts = [...new Set(sources.body[property])]
    if (texts.length > MAX_DISTINCT_TEXTS) return []
    const values = texts.flatMap((text) => normalise(text, sources) ?? [])
    const byLowerCase = new Map(values.map((value) => [value.toLowerCase(), value]))
    return byLowerCase.size === 1 ? byLowerCase.values() : []
  })

/** More texts than this are a list, even if they normalise to the same value. */
const MAX_DISTINCT_TEXTS = 20

/** A longer text is a whole block rather than a name or a URL. */
const MAX_SHORT_TEXT_CHARS = 500

function shortText(text: string): string | undefined {
  const collapsed = text.replace(/\s+/g, ' ').trim()
  return collapsed && collapsed.length <= MAX_SHORT_TEXT_CHARS ? collapsed : undefined
}
