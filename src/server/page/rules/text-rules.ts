import type { MetadataSources } from '../document/index.js'
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
import { BETWEEN_PARTS, findSiteNames, lettersOf } from './site-names.js'
import { readTitleParts, titlesWithoutSite } from './title-parts.js'

const PLAIN_TITLES = ['headline', 'sailthru.title', 'parsely-title', 'title'] as const

export const titleRules: readonly Rule[] = [
  meta('citation_title'),
  meta('dc.title', 'dcterms.title'),
  rule('meta og:title without site', (sources) => titlesWithoutSite(sources, ['og:title', 'twitter:title'])),
  meta('og:title', 'twitter:title'),
  mainEntity('headline'),
  rule('meta headline without site', (sources) => titlesWithoutSite(sources, PLAIN_TITLES)),
  meta(...PLAIN_TITLES),
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
  rule('title or home link', sitesOfPage),
  uniqueBodyProperty('siteHeading'),
  rule(
    'meta twitter:site',
    ({ metas }) => metas.get('twitter:site')?.map((account) => account.replace(/^@/, '')) ?? [],
  ),
  oembed('provider_name'),
]

/**
 * The site in the title, and links to the home page whose text matches its host: `Le Courrier` of `lecourrier.example`. The
 * title is first only where the host or the page names the same site.
 */
function sitesOfPage(sources: MetadataSources): string[] {
  const siteNames = findSiteNames(sources)
  const { site, isKnown } = readTitleParts(sources, siteNames) ?? {}
  const links = sources.body.homeLink.flatMap(partsOfLogo).filter((text) => siteNames.registered.has(lettersOf(text)))
  const inTitle = site === undefined ? [] : [site]
  return isKnown ? [...inTitle, ...links] : [...links, ...inTitle]
}

const MAX_PARTS = 5

/** `Le Courrier` of `Logo Le Courrier`, and each part of `Le Courrier - Toute l'actualité`. */
const partsOfLogo = (text: string): string[] =>
  text.split(BETWEEN_PARTS, MAX_PARTS).map((part) => part.replace(/^logo(?: of| de| von)? | logo$/i, '').trim())

export const langRules: readonly Rule[] = [
  rule('html lang', ({ lang }) => [lang]),
  meta('content-language', 'language', 'og:locale', 'dc.language', 'inlanguage'),
  mainEntity('inLanguage'),
  pageNode(/./, 'inLanguage'),
]
