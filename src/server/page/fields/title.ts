import {
  endsBeforeQuote,
  isBrokenAtQuote,
  isHomePage,
  isSameName,
  PENALTY,
  placeholder,
  type CandidateCheck,
} from '../candidate-check.js'
import { areSimilar, type MetadataSources } from '../document/index.js'
import { isGeneric, isNewPage, isPrintVersion, isScaffoldTitle, normaliseMarkup } from '../values/index.js'
import { bodyProperty, mainEntity, meta, oembed, rule, uniqueBodyProperty, type Rule } from './rule.js'
import { TITLE_SEPARATOR } from './site-names.js'
import { readTitleParts, titlesWithoutSite } from './title-parts.js'

export const titleRules: readonly Rule[] = [
  meta('citation_title'),
  ...withAndWithoutSite('dc.title', 'dcterms.title'),
  rule('title that is not cut at a quote', wholeTitles),
  ...withAndWithoutSite('og:title', 'twitter:title'),
  mainEntity('headline'),
  ...withAndWithoutSite('headline', 'sailthru.title', 'parsely-title', 'title'),
  rule('title without site', (page) => {
    const sources = { ...page, title: titleWithoutCounter(page)[0] ?? page.title }
    if (isHomePage(page)) return siteOfHomePage(sources)
    return [readTitleParts(sources)?.title, ...titlesWithoutSite(sources, [sources.title ?? ''])]
  }),
  rule('title without counter', titleWithoutCounter),
  rule('title', ({ title }) => [title]),
  mainEntity('name'),
  uniqueBodyProperty('headline'),
  bodyProperty('heading'),
  uniqueBodyProperty('entryTitle'),
  rule('first subheading', firstSubheading),
  oembed('title'),
]

/** Some pages have neither a title nor a heading of the first level, or only the title that all pages to print have. */
function firstSubheading({ title = '', body }: MetadataSources): string[] {
  const isMissing = title.trim() === '' || isNewPage(title.trim()) || isToPrint(title)
  return isMissing ? body.subheading.slice(0, 1) : []
}

const MAX_PARTS = 5

/** `Courier - Print Version` */
const isToPrint = (title: string): boolean => title.split(TITLE_SEPARATOR, MAX_PARTS).some(isPrintVersion)

function withAndWithoutSite(...names: string[]): Rule[] {
  const whole = meta(...names)
  const read = (sources: MetadataSources) =>
    isHomePage(sources) ? [] : titlesWithoutSite(sources, textsOf(whole, sources))
  return [rule(`${whole.source} without site`, read), whole]
}

/** `Courier` of `Home | Courier`; without the name of its site, the title of a home page is only its slogan. */
function siteOfHomePage(sources: MetadataSources): string[] {
  const parts = readTitleParts(sources)
  return parts && isGeneric(parts.title) ? [parts.site] : []
}

/** What the page shows in place of a title that browsers read only up to a quote within its quotes. */
function wholeTitles(sources: MetadataSources): string[] {
  const cut = ['og:title', 'twitter:title'].flatMap((name) => sources.metas.get(name) ?? []).map((text) => text.trim())
  const shown = [...sources.body.heading.slice(0, MAX_REPEATED_HEADINGS), sources.title ?? '']
  const whole = shown.filter((text) => cut.some((title) => endsBeforeQuote(title, text)))
  return whole.length ? [...whole.flatMap((text) => titlesWithoutSite(sources, [text])), ...whole] : []
}

/** Unread messages: `(4) Inbox`, `[99+] Chat`, `• (1) Feed`. */
const COUNTER = /^(?:[•●*!]\s?)?(?:[([]\d{1,3}\+?[)\]]|[•●])\s+(?=\S)/u
const MAX_REPEATED_HEADINGS = 20

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
    ...body.heading.slice(0, MAX_REPEATED_HEADINGS),
    ...body.subheading.slice(0, MAX_REPEATED_HEADINGS),
  ]
  const isPart = repeated.some((other) => other.trimStart().startsWith(counter.trim()))
  return isPart ? [] : [text.slice(counter.length)]
}

const textsOf = ({ read }: Rule, sources: MetadataSources): string[] =>
  Array.from(read(sources)).filter((text) => text !== undefined)

export const titleChecks: readonly CandidateCheck[] = [
  placeholder,
  isBrokenAtQuote,
  {
    reason: 'is generic',
    weight: PENALTY,
    applies: ({ value }) => isGeneric(value),
  },
  { reason: 'is the title of all pages to print', weight: PENALTY, applies: ({ value }) => isToPrint(value) },
  {
    // Blogs of some services declare the account as the title of each post.
    reason: 'is the name of the author',
    weight: PENALTY,
    applies: ({ value }, { sources }) => !isHomePage(sources) && isNameOfAuthor(value, sources),
  },
  { reason: 'is an address or the name of a file', weight: PENALTY, applies: ({ value }) => ADDRESS.test(value) },
  { reason: 'is the title of a new project', weight: PENALTY, applies: ({ value }) => isScaffoldTitle(value) },
  {
    reason: 'is the name of the site',
    weight: PENALTY,
    applies: ({ value }, { sources, publisher }) => !isHomePage(sources) && isSameName(value, publisher),
  },
  {
    // Encyclopedias state a description of the subject as the headline.
    reason: 'is the headline of what the page calls by its name',
    weight: PENALTY,
    applies: ({ value, sources }, context) =>
      sources.every((source) => source === 'JSON-LD headline') && isNotName(value, context.sources),
  },
  {
    // JSON-LD may describe the subject of a page under another name than the page itself, and Dublin Core the site.
    reason: 'differs from the page',
    weight: PENALTY,
    applies: ({ value, sources }, context) =>
      sources.every((source) => SEPARATE_TITLES.test(source)) && differsFromPage(value, context.sources),
  },
]

/** What programs write into the title of a page without one. */
const ADDRESS = /^(?:https?:\/\/\S+|\S+\.(?:html?|php|aspx?|jsp|docx?|odt|rtf|pdf|pptx?|xlsx?))$/i

/** Whether an entity with a headline of its own has an author of that name. */
const isNameOfAuthor = (value: string, { jsonLd }: MetadataSources): boolean =>
  jsonLd.mainEntities.some(
    (node) =>
      node.texts('author', 'name').some((name) => isSameName(value, name)) &&
      node.texts('headline').some((headline) => headline.trim() !== '' && !isSameName(value, headline)),
  )

/** Whether a heading of the page is the name of the entity with a headline, and not its headline. */
const isNotName = (headline: string, { jsonLd, body }: MetadataSources): boolean =>
  jsonLd.mainEntities.some(
    (node) =>
      node.texts('headline').some((text) => isSameName(headline, text)) &&
      node.texts('name').some((name) => {
        const headings = body.heading.slice(0, MAX_HEADINGS)
        return headings.some((heading) => isSameName(name, heading)) && !isSameName(name, headline)
      }),
  )

const SEPARATE_TITLES = /^(?:JSON-LD|meta dc\.title)/

const MAX_HEADINGS = 5

function differsFromPage(value: string, { title, metas, body }: MetadataSources): boolean {
  const others = [title, metas.get('og:title')?.[0], ...body.heading.slice(0, MAX_HEADINGS)].filter((text) =>
    text?.trim(),
  )
  return others.length > 0 && others.every((text) => !areSimilar(value, text!))
}

const MAX_TITLE_CHARS = 500

/** A template whose title is missing: ` - The Site`. A headline may begin with a dash, but not with a blank before it. */
const EMPTY_TITLE = /^ [-–—|] (?=\S)/

export const normaliseTitle = (text: string): string | undefined =>
  normaliseMarkup(text.replace(EMPTY_TITLE, ''), MAX_TITLE_CHARS)
