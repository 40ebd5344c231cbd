import type { PageFacts } from '../page-facts.js'
import { inArticle, inBody, meta, oembed, onlyInBody, organisation, pageNode, subject, type Rule } from './rule.js'

export const titleRules: readonly Rule[] = [
  meta('og:title', 'twitter:title'),
  subject('headline'),
  meta('headline', 'dc.title', 'dcterms.title', 'sailthru.title', 'parsely-title'),
  ({ title }) => [title],
  subject('name'),
  onlyInBody('headline'),
  inBody('heading'),
  oembed('title'),
]

export const descriptionRules: readonly Rule[] = [
  meta('og:description', 'twitter:description', 'description'),
  subject('description'),
  meta('dc.description', 'dcterms.description', 'sailthru.description', 'abstract'),
  pageNode(/Page$/, 'description'),
  inArticle('itemDescription'),
  onlyInBody('itemDescription'),
]

export const publisherRules: readonly Rule[] = [
  meta('og:site_name'),
  subject('publisher', 'name'),
  meta('dc.publisher', 'dcterms.publisher', 'article:publisher', 'publisher'),
  pageNode(/^WebSite$/, 'name'),
  pageNode(/Page$/, 'publisher', 'name'),
  meta('application-name', 'apple-mobile-web-app-title', 'al:ios:app_name', 'al:android:app_name'),
  inBody('publisher'),
  organisation('name'),
  besideTitle,
  ({ metas }) => metas.get('twitter:site')?.map((account) => account.replace(/^@/, '')) ?? [],
  oembed('provider_name'),
]

export const langRules: readonly Rule[] = [
  ({ lang }) => [lang],
  meta('content-language', 'language', 'og:locale', 'dc.language', 'inlanguage'),
  subject('inLanguage'),
  pageNode(/./, 'inLanguage'),
]

const MAX_SITE_CHARS = 60

/** What `<title>` says beside the title that the page gives elsewhere: `Title | Site`, `Site: Title`. */
function besideTitle({ title, metas, body }: PageFacts): string[] {
  const whole = plain(title ?? '')
  const titles = [...(metas.get('og:title') ?? []), ...(metas.get('twitter:title') ?? []), ...body.heading].map(plain)
  for (const known of titles) {
    if (!known || known.length === whole.length) continue
    const site = whole.startsWith(known)
      ? /^\s*[|–—\-·•»«:]+\s+(.+)$/.exec(whole.slice(known.length))?.[1]
      : whole.endsWith(known)
        ? /^(.+?)\s*[|–—\-·•»«:]+\s+$/.exec(whole.slice(0, -known.length))?.[1]
        : undefined
    if (site && site.length <= MAX_SITE_CHARS) return [site]
  }
  return []
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
