import { HOST_NAME, isHomePage, PENALTY, repeatsTitle, type CandidateCheck } from '../candidate-check.js'
import type { MetadataSources } from '../document/index.js'
import { isGeneric, isPlaceholder, normaliseMarkup } from '../values/index.js'
import {
  bodyProperty,
  mainEntity,
  meta,
  oembed,
  organisation,
  pageNode,
  rule,
  uniqueBodyProperty,
  type Rule,
} from './rule.js'
import { findSiteNames, lettersOf, TITLE_SEPARATOR } from './site-names.js'
import { readTitleParts } from './title-parts.js'

export const publisherRules: readonly Rule[] = [
  rule('meta og:site_name without slogan', siteNamesWithoutSlogan),
  meta('og:site_name'),
  mainEntity('publisher', 'name'),
  mainEntity('hiringOrganization', 'name'),
  meta('citation_journal_title'),
  meta('dc.publisher', 'dcterms.publisher', 'article:publisher', 'publisher', 'citation_publisher'),
  pageNode(/^WebSite$/, 'name'),
  pageNode(/Page$/, 'publisher', 'name'),
  meta('application-name', 'apple-mobile-web-app-title', 'al:ios:app_name', 'al:android:app_name'),
  bodyProperty('publisher'),
  organisation('name'),
  rule('title or home link', (sources) => sitesOfPage(sources, { isKnown: true })),
  rule('JSON-LD author with the name of the host', authorsNamedAsHost),
  rule('feed', ({ links }) => links.flatMap(siteOfFeed).slice(0, 1)),
  rule('end of title', (sources) => sitesOfPage(sources, { isKnown: false })),
  uniqueBodyProperty('siteHeading'),
  rule(
    'meta twitter:site',
    ({ metas }) => metas.get('twitter:site')?.map((account) => account.replace(/^@/, '')) ?? [],
  ),
  oembed('provider_name'),
]

/**
 * The site in the title if the host or the page names the same one, and links to the home page whose text matches its host:
 * `Le Courrier` of `lecourrier.example`; or else what may be the site in the title.
 */
function sitesOfPage(sources: MetadataSources, { isKnown }: { isKnown: boolean }): string[] {
  const siteNames = findSiteNames(sources)
  const parts = readTitleParts(sources, siteNames)
  const inTitle = parts?.isKnown === isKnown ? [parts.site] : []
  if (!isKnown) return inTitle
  const links = sources.body.homeLink.flatMap(partsOfLogo).filter((text) => siteNames.registered.has(lettersOf(text)))
  return [...inTitle, ...links]
}

/** `Courier` of `Courier - All the news` on `courier.example`. */
function siteNamesWithoutSlogan(sources: MetadataSources): string[] {
  const { registered } = findSiteNames(sources)
  return (sources.metas.get('og:site_name') ?? []).flatMap((name) => {
    const parts = name.split(TITLE_SEPARATOR, MAX_PARTS)
    return parts.length > 1 ? parts.filter((part) => registered.has(lettersOf(part))) : []
  })
}

function authorsNamedAsHost(sources: MetadataSources): string[] {
  const { registered } = findSiteNames(sources)
  const authors = sources.jsonLd.mainEntities.flatMap((node) => node.texts('author', 'name'))
  return authors.filter((name) => registered.has(lettersOf(name)))
}

/** `Courier` of `Courier » Feed` and `Courier - RSS`. */
function siteOfFeed({ rels, type, title }: MetadataSources['links'][number]): string[] {
  if (!rels.includes('alternate') || !FEED_TYPE.test(type)) return []
  const [name = '', ...others] = title.split(TITLE_SEPARATOR, MAX_PARTS)
  const site = name.replace(FEED_ENDING, '').trim()
  const isNamed = site !== name.trim() || others.length > 0
  return isNamed && others.every((part) => FEED_WORDS.test(part.trim())) ? [site] : []
}

const FEED_TYPE = /^application\/(?:rss|atom)\+xml$/
const FEED_WORDS = /^(?:rss|atom|feed|rss feed|atom feed|rss 2\.0|all posts|posts|flux|fluxo|canal)$/i
const FEED_ENDING = / \(?(?:rss|atom|rss 2\.0|feed|rss feed|atom feed)\)?$/i

const MAX_PARTS = 5

/** `Le Courrier` of `Logo Le Courrier`, and each part of `Le Courrier - Toute l'actualité`. */
const partsOfLogo = (text: string): string[] =>
  text.split(TITLE_SEPARATOR, MAX_PARTS).map((part) => part.replace(/^logo(?: of| de| von)? | logo$/i, '').trim())

export const publisherChecks: readonly CandidateCheck[] = [
  { reason: 'is an account', weight: PENALTY, applies: ({ value }) => value.startsWith('@') },
  { reason: 'is generic', weight: PENALTY, applies: ({ value }) => isGeneric(value) },
  {
    reason: 'is a host name, and another candidate names the site',
    weight: PENALTY,
    applies: ({ value }, { publishers, siteNames }) =>
      HOST_NAME.test(value) &&
      value === value.toLowerCase() &&
      publishers.some((name) => /^\p{Lu}[^._]*$/u.test(name) && siteNames.registered.has(lettersOf(name))),
  },
  {
    reason: 'is the system that publishes the blog',
    weight: PENALTY,
    applies: ({ value, sources }, context) =>
      sources.every((source) => source.startsWith('JSON-LD')) && isPublishingSystem(value, context.sources),
  },
  { reason: 'is the name of a company', weight: PENALTY, applies: ({ value }) => LEGAL_FORM.test(value) },
  {
    ...repeatsTitle,
    applies: (found, context) => !isHomePage(context.sources) && repeatsTitle.applies(found, context),
  },
]

/** Templates of Blogger and others state the system itself as the publisher of every page. */
const isPublishingSystem = (value: string, { metas }: MetadataSources): boolean =>
  (metas.get('generator') ?? []).some((generator) => lettersOf(generator).startsWith(lettersOf(value)))

/** What follows the name of a company, which is rarely the name of its site. */
const LEGAL_FORM =
  / (?:AB|AG|A\/S|AS|ASA|B\.?V\.?|GmbH|Inc\.?|Kft\.?|LLC|Ltd\.?|Oy|plc|S\.?A\.?|SARL|SpA|S\.p\.A\.|s\.r\.o\.)$/

const MAX_NAME_CHARS = 120

/**
 * Normalises the name of an organisation: without what follows the name after a bullet or bar.
 *
 * @returns  `undefined` for a URL, a number, a placeholder, or a text that is too long for a name.
 */
export function normalisePublisher(text: string): string | undefined {
  const name = normaliseMarkup(text, MAX_NAME_CHARS * 2)
    ?.split(/\s[•·|]\s/, 1)
    .join()
  if (!name || name.length > MAX_NAME_CHARS || isPlaceholder(name)) return undefined
  return /^((https?:)?\/\/|www\.)/i.test(name) || !/\p{L}/u.test(name) ? undefined : name
}
