import type { MetadataSources } from '../document/index.js'
import { normaliseDate } from '../values/index.js'
import {
  articleProperty,
  headlineProperty,
  mainEntity,
  meta,
  pageNode,
  rule,
  uniqueBodyProperty,
  type Rule,
} from './rule.js'

export const dateRules: readonly Rule[] = [
  meta('article:published_time', 'og:article:published_time', 'datepublished', 'uploaddate'),
  mainEntity('datePublished'),
  mainEntity('uploadDate'),
  meta(
    'citation_online_date',
    'citation_publication_date',
    'citation_date',
    'citation_cover_date',
    'bepress_citation_online_date',
    'bepress_citation_date',
    'prism.publicationdate',
  ),
  meta(
    'parsely-pub-date',
    'sailthru.date',
    'pubdate',
    'pub_date',
    'publish-date',
    'publish_date',
    'publishdate',
    'published_date',
    'displaydate',
    'epoch-publish-date',
    'publication_date',
    'originalpublicationdate',
    'published_time',
    'cxenseparse:recs:publishtime',
    'dc.date.issued',
    'dcterms.issued',
    'dcterms.available',
    'dc.date.available',
    'dc.date',
    'dcterms.date',
    'dc.date.created',
    'dcterms.created',
    'article.published',
    'article:published',
    'og:release_date',
    'video:release_date',
    'og:pubdate',
    'date',
  ),
  headlineDate('published'),
  articleProperty('published'),
  uniqueBodyProperty('published', day),
  headlineDate('dated'),
  articleProperty('dated'),
  uniqueBodyProperty('dated', day),
  headlineDate('byline'),
  headlineDate('bylineText'),
  headlineDate('datedText'),
  rule('URL', ({ url }) => [dateInUrl(url)]),
  mainEntity('dateCreated'),
  pageNode(/Page$/, 'datePublished'),
  meta(
    'article:modified_time',
    'og:updated_time',
    'datemodified',
    'last-modified',
    'dcterms.modified',
    'dc.date.modified',
  ),
  mainEntity('dateModified'),
  articleProperty('modified'),
  uniqueBodyProperty('modified', day),
]

/** An article has a date of publication and one of its last change. */
function headlineDate(property: 'published' | 'dated' | 'datedText' | 'byline' | 'bylineText'): Rule {
  return headlineProperty(property, { normalise: day, max: 2 })
}

/** Several times of the same day count as one date. */
function day(text: string, { lang }: MetadataSources): string | undefined {
  return normaliseDate(text, { lang })?.slice(0, 10)
}

const MAX_URL_CHARS = 1_000
const DATED_PATH = /\/(\d{4})([/-])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=[/-]|$)/

/** `2024-03-12` of `/2024/03/12/story`. */
function dateInUrl(url: string): string | undefined {
  const [, year, , month, date] = DATED_PATH.exec(new URL(url.slice(0, MAX_URL_CHARS)).pathname) ?? []
  return year && [year, month, date].join('-')
}
