import {
  articleProperty,
  bodyProperty,
  meta,
  oembed,
  uniqueBodyProperty,
  organisation,
  pageNode,
  mainEntity,
  rule,
  type Rule,
} from './rule.js'
import { readTitleParts, titlesWithoutSite } from './title-parts.js'

export const titleRules: readonly Rule[] = [
  meta('citation_title'),
  meta('dc.title', 'dcterms.title'),
  rule('meta og:title without site', titlesWithoutSite),
  meta('og:title', 'twitter:title'),
  mainEntity('headline'),
  meta('headline', 'sailthru.title', 'parsely-title', 'title'),
  rule('title without site', (sources) => [readTitleParts(sources)?.title]),
  rule('title', ({ title }) => [title]),
  mainEntity('name'),
  uniqueBodyProperty('headline'),
  bodyProperty('heading'),
  uniqueBodyProperty('entryTitle'),
  oembed('title'),
]

export const descriptionRules: readonly Rule[] = [
  meta('og:description', 'twitter:description', 'description'),
  mainEntity('description'),
  meta('dc.description', 'dcterms.description', 'dcterms.abstract', 'sailthru.description', 'abstract'),
  meta('citation_abstract'),
  pageNode(/Page$/, 'description'),
  articleProperty('itemDescription'),
  uniqueBodyProperty('itemDescription'),
]

export const publisherRules: readonly Rule[] = [
  meta('og:site_name'),
  mainEntity('publisher', 'name'),
  meta('citation_journal_title'),
  meta('dc.publisher', 'dcterms.publisher', 'article:publisher', 'publisher', 'citation_publisher'),
  pageNode(/^WebSite$/, 'name'),
  pageNode(/Page$/, 'publisher', 'name'),
  meta('application-name', 'apple-mobile-web-app-title', 'al:ios:app_name', 'al:android:app_name'),
  bodyProperty('publisher'),
  organisation('name'),
  rule('title', (sources) => [readTitleParts(sources)?.site]),
  uniqueBodyProperty('siteHeading'),
  rule(
    'meta twitter:site',
    ({ metas }) => metas.get('twitter:site')?.map((account) => account.replace(/^@/, '')) ?? [],
  ),
  oembed('provider_name'),
]

export const langRules: readonly Rule[] = [
  rule('html lang', ({ lang }) => [lang]),
  meta('content-language', 'language', 'og:locale', 'dc.language', 'inlanguage'),
  mainEntity('inLanguage'),
  pageNode(/./, 'inLanguage'),
]
