import { tidyName } from '../tidy-text.js'
import { inArticle, meta, oembed, onlyInBody, pageNode, subject, type Rule } from './rule.js'

export const authorRules: readonly Rule[] = [
  subject('author', 'name'),
  subject('author'),
  meta(
    'author',
    'article:author',
    'og:article:author',
    'dc.creator',
    'dcterms.creator',
    'sailthru.author',
    'parsely-author',
    'byl',
  ),
  subject('creator', 'name'),
  subject('creator'),
  pageNode(/Page$/, 'author', 'name'),
  inArticle('author'),
  onlyInBody('author'),
  inArticle('byline'),
  onlyInBody('byline', tidyName),
  oembed('author_name'),
]
