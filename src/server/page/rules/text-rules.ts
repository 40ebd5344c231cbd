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
import { normaliseText } from '../values/index.js'
import { TITLE_SEPARATOR, findSiteNames, lettersOf } from './site-names.js'
import { readTitleParts, titlesWithoutSite } from './title-parts.js'

export const titleRules: readonly Rule[] = [
  meta('citation_title'),
  ...withAndWithoutSite('dc.title', 'dcterms.title'),
  ...withAndWithoutSite('og:title', 'twitter:title'),
  mainEntity('headline'),
  ...withAndWithoutSite('headline', 'sailthru.title', 'parsely-title', 'title'),
  rule('title without site', (page) => {
    const sources = { ...page, title: titleWithoutCounter(page)[0] ?? page.title }
    return [readTitleParts(sources)?.title, ...titlesWithoutSite(sources, [sources.title ?? ''])]
  }),
  rule('title without counter', titleWithoutCounter),
  rule('title', ({ title }) => [title]),
  mainEntity('name'),
  uniqueBodyProperty('headline'),
  bodyProperty('heading'),
  uniqueBodyProperty('entryTitle'),
  oembed('title'),
]

function withAndWithoutSite(...names: string[]): Rule[] {
  const whole = meta(...names)
  return [rule(`${whole.source} without site`, (sources) => titlesWithoutSite(sources, textsOf(whole, sources))), whole]
}

/** Unread messages: `(4) Inbox`, `[99+] Chat`, `• (1) Feed`. */
const COUNTER = /^(?:[•●*!]\s?)?(?:[([]\d{1,3}\+?[)\]]|[•●])\s+(?=\S)/u
const MAX_HEADINGS = 20

/** The title without the counter that scripts put in front of it; `(500) Days of Summer` has none, which the page repeats elsewhere. */
function titleWithoutCounter({ title = '', metas, jsonLd, body }: MetadataSources): string[] {
  const text = title.trim()
  const [counter] = COUNTER.exec(text) ?? []
  if (counter === undefined) return []
  const names = jsonLd.mainEntities.flatMap((node) => [...node.texts('headline'), ...node.texts('name')])
  const others = ['og:title', 'twitter:title', 'title', 'dc.title'].flatMap((name) => metas.get(name) ?? [])
  const repeated = [
    ...others,
    ...names,
    ...body.heading.slice(0, MAX_HEADINGS),
    ...body.subheading.slice(0, MAX_HEADINGS),
  ]
  const isPart = repeated.some((other) => other.trimStart().startsWith(counter.trim()))
  return isPart ? [] : [text.slice(counter.length)]
}

const textsOf = ({ read }: Rule, sources: MetadataSources): string[] =>
  Array.from(read(sources)).filter((text) => text !== undefined)

export const descriptionRules: readonly Rule[] = [
  meta('og:description', 'twitter:description', 'description'),
  mainEntity('description'),
  meta('dc.description', 'dcterms.description', 'dcterms.abstract', 'sailthru.description', 'abstract'),
  meta('citation_abstract'),
  pageNode(/Page$/, 'description'),
  articleProperty('itemDescription'),
  uniqueBodyProperty('itemDescription'),
  rule('first paragraph', ({ body }) => body.paragraph.map(readLead)),
]

const MIN_LEAD_CHARS = 60
/** A script without spaces says as much in fewer characters. */
const MIN_EAST_ASIAN_CHARS = 30
const MAX_LEAD_CHARS = 300
const SENTENCE_END = /[.!?…。！？।؟]["”»)\]]*$/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** References to notes: `[1]`. */
const NOTE = /\[\d{1,3}\]/g
/** Notices that stand in front of the text of a page, and steps of a list. */
const NOTICE =
  /cookie|javascript|newsletter|subscri|affiliate|advertis|sign up|log in|copyright|©|all rights reserved|^\d+[.)] /i

/** The text of a paragraph of whole sentences. */
function readLead(paragraph: string): string | undefined {
  const text = paragraph.replace(NOTE, '').replace(/\s+/g, ' ').trim()
  const minChars = EAST_ASIAN.test(text.slice(0, MIN_EAST_ASIAN_CHARS)) ? MIN_EAST_ASIAN_CHARS : MIN_LEAD_CHARS
  if (text.length < minChars || !SENTENCE_END.test(text) || NOTICE.test(text)) return undefined
  return normaliseText(text, MAX_LEAD_CHARS)
}

export const publisherRules: readonly Rule[] = [
  rule('meta og:site_name without slogan', siteNamesWithoutSlogan),
  meta('og:site_name'),
  mainEntity('publisher', 'name'),
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
