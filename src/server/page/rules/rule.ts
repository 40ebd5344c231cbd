import type { BodyFact, PageFacts } from '../page-facts.js'

/** Finds candidates for one field, best first, as the page wrote them. */
export type Rule = (facts: PageFacts) => Iterable<string | undefined>

/** `<meta>` by `name`, `property` or `itemprop`, the names in order of preference. */
export const meta =
  (...names: string[]): Rule =>
  ({ metas }) =>
    names.flatMap((name) => metas.get(name) ?? [])

/** A property of what the page is about, by JSON-LD: `subject('author', 'name')`. */
export const subject =
  (...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.subjects.flatMap((node) => node.texts(...path))

/** A property of the page or its site, by JSON-LD; only nodes whose type matches. */
export const pageNode =
  (type: RegExp, ...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.pages.filter((node) => node.types.some((name) => type.test(name))).flatMap((node) => node.texts(...path))

/** A property of an organisation that the page describes, by JSON-LD. */
export const organisation =
  (...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.others
      .filter(({ types }) => types.some((type) => /Organi[sz]ation|Corporation|Brand$/.test(type)))
      .flatMap((node) => node.texts(...path))

/** `<link rel>`, in the order of the page. */
export const link =
  (rel: string): Rule =>
  ({ links }) =>
    links.filter(({ rels }) => rels.includes(rel)).map(({ href }) => href)

/** A file of what the page is about: `subjectFile(/Audio/, 'contentUrl')` only of things of that type. */
export const subjectFile =
  (type: RegExp, ...path: string[]): Rule =>
  ({ jsonLd }) =>
    jsonLd.subjects.filter(({ types }) => types.some((name) => type.test(name))).flatMap((node) => node.texts(...path))

/** A text of the page's oEmbed document. */
export const oembed =
  (name: string): Rule =>
  ({ oembed }) => [oembed.get(name)]

/** What stands in the body. */
export const inBody =
  (kind: BodyFact): Rule =>
  ({ body }) =>
    body[kind]

/** What stands in the page's own article. */
export const inArticle =
  (kind: BodyFact): Rule =>
  ({ article }) =>
    article[kind]

/** The one thing of a kind in the body; nothing when there are several, as on a list of teasers. */
export const onlyInBody =
  (kind: BodyFact, plain: (text: string, facts: PageFacts) => string | undefined = plainText): Rule =>
  (facts) => {
    const texts = [...new Set(facts.body[kind])]
    if (texts.length > MAX_SPELLINGS) return []
    const values = new Map(texts.flatMap((text) => plain(text, facts) ?? []).map((text) => [text.toLowerCase(), text]))
    return values.size === 1 ? values.values() : []
  }

/** So many are a list, whatever they say. */
const MAX_SPELLINGS = 20

/** A whole block is no name and no address. */
const MAX_PLAIN_CHARS = 500

function plainText(text: string): string | undefined {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain && plain.length <= MAX_PLAIN_CHARS ? plain : undefined
}
