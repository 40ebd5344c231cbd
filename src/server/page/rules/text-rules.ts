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
  type Rule,
} from './rule.js'

export const titleRules: readonly Rule[] = [
  meta('og:title', 'twitter:title'),
  mainEntity('headline'),
  meta('headline', 'dc.title', 'dcterms.title', 'sailthru.title', 'parsely-title'),
  ({ title }) => [title],
  mainEntity('name'),
  uniqueBodyProperty('headline'),
  bodyProperty('heading'),
  oembed('title'),
]

export const descriptionRules: readonly Rule[] = [
  meta('og:description', 'twitter:description', 'description'),
  mainEntity('description'),
  meta('dc.description', 'dcterms.description', 'sailthru.description', 'abstract'),
  pageNode(/Page$/, 'description'),
  articleProperty('itemDescription'),
  uniqueBodyProperty('itemDescription'),
]

export const publisherRules: readonly Rule[] = [
  meta('og:site_name'),
  mainEntity('publisher', 'name'),
  meta('dc.publisher', 'dcterms.publisher', 'article:publisher', 'publisher'),
  pageNode(/^WebSite$/, 'name'),
  pageNode(/Page$/, 'publisher', 'name'),
  meta('application-name', 'apple-mobile-web-app-title', 'al:ios:app_name', 'al:android:app_name'),
  bodyProperty('publisher'),
  organisation('name'),
  siteInTitle,
  ({ metas }) => metas.get('twitter:site')?.map((account) => account.replace(/^@/, '')) ?? [],
  oembed('provider_name'),
]

export const langRules: readonly Rule[] = [
  ({ lang }) => [lang],
  meta('content-language', 'language', 'og:locale', 'dc.language', 'inlanguage'),
  mainEntity('inLanguage'),
  pageNode(/./, 'inLanguage'),
]

const MAX_SITE_CHARS = 60
const MAX_KNOWN_TITLES = 20
const SEPARATORS = new Set('|–—-·•»«:')

/** The rest of `<title>` around a title that the page also declares elsewhere: `Title | Site`, `Site: Title`. */
function siteInTitle({ title, metas, body }: MetadataSources): string[] {
  const fullTitle = collapse(title ?? '')
  const knownTitles = [...(metas.get('og:title') ?? []), ...(metas.get('twitter:title') ?? []), ...body.heading]
    .slice(0, MAX_KNOWN_TITLES)
    .map(collapse)
  for (const known of knownTitles) {
    if (!known || known.length === fullTitle.length) continue
    const site = fullTitle.startsWith(known)
      ? /^ ?[|–—\-·•»«:]+ (.+)$/.exec(fullTitle.slice(known.length))?.[1]
      : fullTitle.endsWith(known)
        ? textBeforeSeparator(fullTitle.slice(0, -known.length))
        : undefined
    if (site && site.length <= MAX_SITE_CHARS) return [site]
  }
  return []
}

/** The text in front of separators and a space: `Site` of `Site: `. */
function textBeforeSeparator(text: string): string | undefined {
  const withSeparator = text.trimEnd()
  let end = withSeparator.length
  while (SEPARATORS.has(withSeparator.charAt(end - 1))) end--
  const isSeparated = end < withSeparator.length && withSeparator.length < text.length
  return isSeparated ? withSeparator.slice(0, end).trimEnd() : undefined
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()
