import type { MetadataSources } from '../document/index.js'
import { normaliseDate } from '../values/index.js'
import { articleProperty, meta, uniqueBodyProperty, pageNode, mainEntity, type Rule } from './rule.js'

export const dateRules: readonly Rule[] = [
  meta('article:published_time', 'og:article:published_time', 'datepublished', 'uploaddate'),
  mainEntity('datePublished'),
  mainEntity('uploadDate'),
  meta(
    'parsely-pub-date',
    'sailthru.date',
    'pubdate',
    'publish-date',
    'publishdate',
    'publication_date',
    'dc.date.issued',
    'dcterms.issued',
    'dc.date',
    'dcterms.date',
    'dc.date.created',
    'article.published',
    'date',
  ),
  articleProperty('published'),
  uniqueBodyProperty('published', day),
  articleProperty('dated'),
  uniqueBodyProperty('dated', day),
  mainEntity('dateCreated'),
  pageNode(/Page$/, 'datePublished'),
  meta('article:modified_time', 'og:updated_time', 'datemodified', 'last-modified', 'dcterms.modified'),
  mainEntity('dateModified'),
  articleProperty('modified'),
  uniqueBodyProperty('modified', day),
]

/** Several times of the same day count as one date. */
function day(text: string, { lang }: MetadataSources): string | undefined {
  return normaliseDate(text, { lang })?.slice(0, 10)
}
