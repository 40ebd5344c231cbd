import { Parser } from 'htmlparser2'
import { parseUrl } from '../values/index.js'
import { repairMeta } from './broken-attributes.js'
import { addMeta, declarationsAfter, declarationsOf, readParselyPage, type Declared } from './declarations.js'
import { HtmlCollector, type CollectedProperty } from './html-collector.js'
import { readJsonLd } from './json-ld.js'
import {
  emptyBodyProperties,
  MAX_HTML_CHARS,
  type Attributes,
  type BodyProperties,
  type MetadataSources,
} from './metadata-sources.js'
import { nearHeadline, withoutOtherArticles } from './near-headline.js'

/**
 * Deeper than any page that a browser shows as it was written: https://github.com/chromium/chromium `kMaximumHTMLParserDOMTreeDepth`.
 * The parser searches its list of open elements with every tag.
 */
const MAX_DEPTH = 512

/** The metadata of a page is near its beginning, except for JSON-LD; the rest is text, comments and links. */
const MAX_TAGS = 5_000

/**
 * Collects the metadata sources of a page in one pass over its first million characters, up to 5,000 elements or 512 nested
 * ones. After 5,000 elements only JSON-LD is read; after 512 nested ones, nothing.
 *
 * @param isXml  Whether browsers read it as XML, in which every element may close itself: `<script src="a.js"/>`. Default: false.
 */
export const parseHtml = (html: string, url: string, { isXml = false } = {}): MetadataSources =>
  createSources(collect(html, url, isXml), url)

/** The sources of a document after its scripts have run. */
export interface RenderedSources {
  all: MetadataSources
  /** The same body, but only the declarations that the scripts have added or changed. */
  added: MetadataSources
}

/**
 * @param declarations  Those of the document before its scripts ran.
 * @param isXml         See `parseHtml`.
 */
export function parseRenderedHtml(
  html: string,
  url: string,
  declarations: readonly string[],
  { isXml = false } = {},
): RenderedSources {
  const collector = collect(html, url, isXml)
  const added = declarationsAfter(new Set(declarations), collector)
  return { all: createSources(collector, url), added: createSources(collector, url, added) }
}

function collect(html: string, url: string, isXml: boolean): HtmlCollector {
  const collector = new HtmlCollector(url)
  const start = html.slice(0, MAX_HTML_CHARS)
  let tagCount = 0
  const addRepaired = (attributes: Attributes) => {
    const [first = {}, ...others] = repairMeta(attributes, start.slice(parser.startIndex, parser.endIndex + 1))
    for (const other of others) addMeta(collector.metas, other)
    collector.openTag('meta', first)
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'meta') addRepaired(attributes)
        else collector.openTag(name, attributes)
        if (++tagCount > MAX_TAGS || collector.depth > MAX_DEPTH) parser.pause()
      },
      ontext: (text) => collector.addText(text),
      onclosetag: (name) => collector.closeTag(name),
    },
    { recognizeSelfClosing: isXml, recognizeCDATA: isXml },
  )
  parser.end(start)
  collector.end()
  if (tagCount > MAX_TAGS) collector.jsonLdScripts.push(...findJsonLdScripts(start.slice(parser.endIndex)))
  return collector
}

const MAX_SCRIPTS = 100
const MAX_SCRIPT_CHARS = 500_000

/** The contents of the JSON-LD scripts in HTML that is not parsed. */
function findJsonLdScripts(html: string): string[] {
  const type = /application\/ld\+json/gi
  const end = /<\/script/gi
  const scripts: string[] = []
  while (scripts.length < MAX_SCRIPTS && type.test(html)) {
    const start = html.indexOf('>', type.lastIndex) + 1
    end.lastIndex = start
    const { index } = (start > 0 && end.exec(html)) || {}
    if (index === undefined) break
    scripts.push(html.slice(start, Math.min(index, start + MAX_SCRIPT_CHARS)))
    type.lastIndex = index
  }
  return scripts
}

/** @param declared  What the head declares. Default: all of it. */
function createSources(collector: HtmlCollector, url: string, declared: Declared = collector): MetadataSources {
  const { base, lang, outline, scriptCount, scriptSigns } = collector
  const properties = withoutSiteHeadings(collector.properties, declared)
  const { links, title, jsonLdScripts } = declared
  const { articleCount, textChars } = outline
  const canonicalUrls = links.filter(({ rels }) => rels.includes('canonical')).map(({ href }) => href)
  const mainArticle = findMainArticle(collector)
  const ownProperties = withoutOtherArticles(properties, declaredTitles(declared))
  const ownTextChars = Math.max(0, textChars - (title?.trim().length ?? 0))
  const headings = properties.filter(({ property }) => property === 'heading').map(({ value }) => value)
  const metas = withOwnMetasFirst(declared.metas, { title, headings })
  return {
    url,
    baseUrl: resolveBase(base, url),
    metas: metas.has('parsely-page') ? new Map([...metas, ...readParselyPage(metas)]) : metas,
    links,
    lang,
    title,
    body: groupByProperty(ownProperties),
    article: groupByProperty(ownProperties.filter(({ article }) => article > 0 && article === mainArticle)),
    nearHeadline: groupByProperty(nearHeadline(properties, { titles: declaredTitles(declared), articleCount })),
    jsonLd: readJsonLd(jsonLdScripts, [url, ...canonicalUrls, ...(metas.get('og:url') ?? [])]),
    imageAlts: collector.imageAlts.list(),
    manifestIcons: [],
    oembed: new Map(),
    mainFrame: collector.frames.mainFrame(ownTextChars),
    textChars: ownTextChars,
    scriptCount,
    hasEmptyRoot: scriptSigns.hasEmptyRoot,
    hasEmptyContainer: scriptSigns.hasEmptyContainer,
    hasBundle: scriptSigns.hasBundle,
    demandsScripts: scriptSigns.demandsScripts,
    declarations: declarationsOf(declared),
  }
}

/** Browsers ignore a `<base>` that is not a place: `data:`, `javascript:`. */
function resolveBase(base: string | undefined, url: string): string {
  const { protocol = '', href = url } = (base === undefined ? undefined : parseUrl(base, url)) ?? {}
  return /^https?:$/.test(protocol) ? href : url
}

const HEADLINES = new Set<CollectedProperty['property']>(['heading', 'entryTitle', 'subheading'])
const MAX_HEADLINES = 20

/** Marks the first-level heading of a forum that is the name of the site, if the title has another heading in front of it. */
function withoutSiteHeadings(
  properties: readonly CollectedProperty[],
  { title = '', metas }: Pick<Declared, 'title' | 'metas'>,
): readonly CollectedProperty[] {
  const full = title.trim()
  const headlines = properties.filter(({ property }) => HEADLINES.has(property)).slice(0, MAX_HEADLINES)
  const isSite = ({ property, value }: CollectedProperty) => {
    const site = value.trim()
    if (property !== 'heading' || !site || !full.endsWith(site)) return false
    const [, start] = /^(.+?) [|–—·•»-] ?$/.exec(full.slice(0, -site.length)) ?? []
    if (start === undefined || metas.get('og:site_name')?.includes(start)) return false
    return headlines.some((headline) => headline.value.trim() === start)
  }
  const sites = new Set(headlines.filter(isSite))
  if (!sites.size) return properties
  return properties.map((each) => (sites.has(each) ? { ...each, property: 'siteHeading' } : each))
}

/** What follows the title of a page in front of the name of its site. */
const SEPARATOR = /^\s?[|–—·•»«-]/
const MAX_HEADINGS = 5

/** The names of a card; all of them are stated once by the template of a site, and once by the page. */
const isOfCard = (name: string) => name === 'description' || /^(?:og|twitter):/.test(name)

/**
 * The `<meta>` elements of a page that states two cards, with the one first whose title the page repeats: some templates have a card of
 * the whole site, in front of the one that is added for the page.
 */
function withOwnMetasFirst(
  metas: MetadataSources['metas'],
  { title = '', headings }: { title: string | undefined; headings: readonly string[] },
): MetadataSources['metas'] {
  const titles = metas.get('og:title') ?? []
  const isRepeated = (text: string) => {
    const name = text.trim()
    const rest = title.trim().startsWith(name) ? title.trim().slice(name.length) : undefined
    const isStart = rest !== undefined && (rest === '' || SEPARATOR.test(rest))
    return name !== '' && (isStart || headings.slice(0, MAX_HEADINGS).some((heading) => heading.trim() === name))
  }
  const at = titles.length > 1 ? titles.findIndex(isRepeated) : 0
  if (at <= 0) return metas
  const ownFirst = (values: readonly string[]) => [values[at]!, ...values.filter((_, index) => index !== at)]
  return new Map(
    Array.from(metas, ([name, values]) => [
      name,
      isOfCard(name) && values.length === titles.length ? ownFirst(values) : values,
    ]),
  )
}

const declaredTitles = ({ title, metas }: Declared) =>
  [title, metas.get('og:title')?.[0], metas.get('dc.title')?.[0]].filter((text) => text !== undefined)

/** The number of the article with a heading, or of the only one. */
function findMainArticle({ properties, outline: { articleCount } }: HtmlCollector): number | undefined {
  const heading = properties.find(({ property, article }) => property === 'heading' && article > 0)
  return heading?.article ?? (articleCount === 1 ? 1 : undefined)
}

function groupByProperty(properties: readonly CollectedProperty[]): BodyProperties {
  const groups = emptyBodyProperties()
  for (const { property, value } of properties) groups[property].push(value)
  return groups
}
