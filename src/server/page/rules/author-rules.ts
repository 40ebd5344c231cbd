import { normaliseName } from '../values/index.js'
import { articleProperty, meta, oembed, uniqueBodyProperty, pageNode, mainEntity, type Rule } from './rule.js'

export const authorRules: readonly Rule[] = [
  mainEntity('author', 'name'),
  mainEntity('author'),
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
  mainEntity('creator', 'name'),
  mainEntity('creator'),
  pageNode(/Page$/, 'author', 'name'),
  articleProperty('author'),
  uniqueBodyProperty('author'),
  articleProperty('byline'),
  uniqueBodyProperty('byline', normaliseName),
  oembed('author_name'),
]
