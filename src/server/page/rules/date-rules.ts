import type { PageFacts } from '../page-facts.js'
import { tidyDate } from '../tidy-date.js'
import { inArticle, meta, onlyInBody, pageNode, subject, type Rule } from './rule.js'

export const dateRules: readonly Rule[] = [
  meta('article:published_time', 'og:article:published_time', 'datepublished', 'uploaddate'),
  subject('datePublished'),
  subject('uploadDate'),
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
  inArticle('published'),
  onlyInBody('published', day),
  inArticle('dated'),
  onlyInBody('dated', day),
  subject('dateCreated'),
  pageNode(/Page$/, 'datePublished'),
  meta('article:modified_time', 'og:updated_time', 'datemodified', 'last-modified', 'dcterms.modified'),
  subject('dateModified'),
  inArticle('modified'),
  onlyInBody('modified', day),
]

/** Several times of one day are one date. */
function day(text: string, { lang }: PageFacts): string | undefined {
  return tidyDate(text, { lang })?.slice(0, 10)
}
