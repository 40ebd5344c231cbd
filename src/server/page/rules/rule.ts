import type { BodyProperty, MetadataSources } from '../document/index.js'

/** Yields candidates for one field from the sources, best first, unprocessed. */
export type Rule = (sources: MetadataSources) => Iterable<string | undefined>

/** `<meta>` by `name`, `property` or `itemprop`, in order of preference. */
export const meta =
  (...names: string[]): Rule =>
  ({ metas }) =>
    names.flatMap((name) => metas.get(name) ?? [])

/** `<link rel>`, in document order. */
export const link =
  (rel: string): Rule =>
  ({ links }) =>
    links.filter(({ rels }) => rels.includes(rel)).map(({ href }) => href)

/** JSON-LD property of the main entities: `mainEntity('author', 'name')`. */
export const mainEntity =
  (...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.mainEntities.flatMap((node) => node.texts(...path))

/** JSON-LD property of the main entities with a matching type: `mainEntityOfType(/Audio/, 'contentUrl')`. */
export const mainEntityOfType =
  (type: RegExp, ...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.mainEntities
      .filter(({ types }) => types.some((name) => type.test(name)))
      .flatMap((node) => node.texts(...path))

/** JSON-LD property of the page or its site, where the type matches. */
export const pageNode =
  (type: RegExp, ...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.pages.filter(({ types }) => types.some((name) => type.test(name))).flatMap((node) => node.texts(...path))

/** JSON-LD property of an organisation. */
export const organisation =
  (...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.others
      .filter(({ types }) => types.some((type) => /Organi[sz]ation|Corporation|Brand$/.test(type)))
      .flatMap((node) => node.texts(...path))

/** A string of the oEmbed document. */
export const oembed =
  (name: string): Rule =>
  ({ oembed }) => [oembed.get(name)]

/** A property in the body. */
export const bodyProperty =
  (property: BodyProperty): Rule =>
  ({ body }) =>
    body[property]

/** A property in the main article. */
export const articleProperty =
  (property: BodyProperty): Rule =>
  ({ article }) =>
    article[property]

/** A property that has only one value in the whole body; with several, as in a list of teasers, none of them is used. */
export const uniqueBodyProperty =
  (
    property: BodyProperty,
    normalise: (text: string, sources: MetadataSources) => string | undefined = shortText,
  ): Rule =>
  (sources) => {
    const texts = [...new Set(sources.body[property])]
    if (texts.length > MAX_DISTINCT_TEXTS) return []
    const values = texts.flatMap((text) => normalise(text, sources) ?? [])
    const byLowerCase = new Map(values.map((value) => [value.toLowerCase(), value]))
    return byLowerCase.size === 1 ? byLowerCase.values() : []
  }

/** More texts than this are a list, even if they normalise to the same value. */
const MAX_DISTINCT_TEXTS = 20

/** A longer text is a whole block rather than a name or a URL. */
const MAX_SHORT_TEXT_CHARS = 500

function shortText(text: string): string | undefined {
  const collapsed = text.replace(/\s+/g, ' ').trim()
  return collapsed && collapsed.length <= MAX_SHORT_TEXT_CHARS ? collapsed : undefined
}
