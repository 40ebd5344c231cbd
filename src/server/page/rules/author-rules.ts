import type { JsonLdNode, MetadataSources } from '../document/index.js'
import { normaliseAuthor } from '../values/index.js'
import {
  articleProperty,
  nearHeadlineProperty,
  mainEntity,
  meta,
  oembed,
  ORGANISATION,
  pageNode,
  rule,
  uniqueBodyProperty,
  type Rule,
} from './rule.js'

/** More of them are the authors of a list of articles. */
const MAX_AUTHORS = 6

export const authorRules: readonly Rule[] = [
  rule('JSON-LD author', (sources) => jsonLdAuthors(sources, { isOrganisation: false })),
  familyNameFirst(meta('citation_author', 'citation_authors', 'bepress_citation_author', 'eprints.creators_name')),
  familyNameFirst(meta('dc.creator', 'dcterms.creator', 'dc.contributor.author')),
  rule('JSON-LD author without an object', ({ jsonLd }) =>
    jsonLd.mainEntities.flatMap((entity) => togetherAndEach(entity.texts('author'))),
  ),
  meta(
    'author',
    'article:author',
    'og:article:author',
    'og:author',
    'sailthru.author',
    'parsely-author',
    'byl',
    'byline',
    'authors',
    'author.name',
    'author_name',
    'article.author',
    'shareaholic:article_author_name',
    'cxenseparse:author',
  ),
  labelledCard('written by'),
  rule('meta twitter:creator', ({ metas }) => (metas.get('twitter:creator') ?? []).filter(isNotAccount)),
  mainEntity('creator', 'name'),
  mainEntity('creator'),
  pageNode(/Page$/, 'author', 'name'),
  rule('JSON-LD organisation', (sources) => jsonLdAuthors(sources, { isOrganisation: true })),
  headlineAuthor('author'),
  articleProperty('author'),
  withoutPlaces(headlineAuthor('byline')),
  headlineAuthor('authorLink'),
  headlineAuthor('bylineText'),
  headlineAuthor('roleText'),
  uniqueBodyProperty('author', nameOf),
  withoutPlaces(articleProperty('byline')),
  withoutPlaces(uniqueBodyProperty('byline', nameOf)),
  uniqueBodyProperty('closingByline', nameOf),
  oembed('author_name'),
]

function nameOf(text: string, { lang }: MetadataSources): string | undefined {
  return normaliseAuthor(text, { lang })
}

/** A byline may begin with the place of the report, in capitals: `LISBON, Portugal`. */
function withoutPlaces({ source, read }: Rule): Rule {
  return rule(source, (sources) => Array.from(read(sources)).filter((text = '') => !PLACE.test(text.trim())))
}

const PLACE = /^\p{Lu}{3,}(?:\s?[,–—-]|$)/u

function headlineAuthor(property: 'author' | 'byline' | 'authorLink' | 'bylineText' | 'roleText'): Rule {
  return nearHeadlineProperty(property, { normalise: nameOf, max: MAX_AUTHORS })
}

/** The names of all authors of an entity together, then each of them. */
function jsonLdAuthors({ jsonLd }: MetadataSources, { isOrganisation }: { isOrganisation: boolean }): string[] {
  return jsonLd.mainEntities.flatMap((entity) => {
    const authors = entity
      .objects('author')
      .filter(({ types }) => types.some((type) => ORGANISATION.test(type)) === isOrganisation)
    return togetherAndEach(authors.flatMap(namesOf))
  })
}

const MAX_JOINED_NAMES = 4

function togetherAndEach(texts: readonly string[]): string[] {
  const names = [...new Set(texts)]
  return names.length > 1 && names.length <= MAX_JOINED_NAMES ? [joinNames(names), ...names] : names
}

const joinNames = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} & ${names.at(-1)}`

/** Usually one; some pages list all authors as the names of one. */
function namesOf(person: JsonLdNode): string[] {
  const names = person.texts('name').map((name) => name.trim())
  if (names.length) return names
  const parts = [person.texts('givenName')[0], person.texts('familyName')[0]].filter(Boolean)
  return parts.length ? [parts.join(' ')] : []
}

/** Usually the value is an account name of one word. */
const isNotAccount = (text: string) => !text.includes('@') && text.trim().includes(' ')

const MAX_INVERTED_CHARS = 100

/** Scholarly pages state `Doe, Jane`; some of them all authors at once, with semicolons between. */
function familyNameFirst({ source, read }: Rule): Rule {
  return rule(source, (sources) =>
    [...read(sources)].map((text) => {
      const [first = ''] = (text ?? '').slice(0, MAX_INVERTED_CHARS).split(';', 1)
      const [family = '', given = '', ...others] = first.split(',')
      const isInverted = given.trim() && !others.length && family.trim().split(/\s+/).length <= 2
      return isInverted ? `${given.trim()} ${family.trim()}` : text
    }),
  )
}

/** What WordPress plugins put before the author in a card. */
const CARD_LABEL =
  /^(written by|author|verfasst von|geschrieben von|autor|écrit par|escrito por|scritto da|geschreven door|napisane przez|skrevet av|skriven av|написано автором|автор|執筆者|作者|글쓴이|كُتب بواسطة)$/

/** `twitter:data1` if `twitter:label1` announces an author. */
function labelledCard(source: string): Rule {
  return rule(`twitter:label ${source}`, ({ metas }) =>
    ['1', '2'].flatMap((number) => {
      const [label = ''] = metas.get(`twitter:label${number}`) ?? []
      return CARD_LABEL.test(label.trim().toLowerCase()) ? (metas.get(`twitter:data${number}`) ?? []) : []
    }),
  )
}
