import { areSimilar, type MetadataSources, type RenderedSources } from './document/index.js'
import { rankCandidates, withoutRepetition, type Candidates, type RankedCandidates } from './find-candidates.js'
import type { MetadataField } from './fields/index.js'
import { decodeUrlPart, isScaffoldDescription, isVagueTitle, parseUrl } from './values/index.js'

/** What is remembered of a document to compare it with the document after its scripts have run. */
export interface DocumentSummary {
  /** See `isShell`. */
  isShell: boolean
  /** Whether it states another page as its own address, as the home page does that some sites send for every address. */
  isOfOtherPage: boolean
  /** Its titles, from all sources. */
  titles: string[]
  headings: string[]
  /** The beginnings of its first paragraphs. */
  paragraphs: string[]
  /** Characters of visible text. */
  textChars: number
  declarations: readonly string[]
}

/** Enough for "Loading…" and the links of a footer. */
const MAX_EMPTY_CHARS = 200
/** Enough for the navigation, the footer and the cookie banner around an empty root. */
const MAX_FRAME_CHARS = 1_500
/** A document with as much text and its own address is complete. */
const MIN_COMPLETE_CHARS = 1_000
const MAX_TEXTS = 10
const MAX_PARAGRAPH_CHARS = 100

const TITLE_METAS = ['og:title', 'twitter:title', 'headline', 'dc.title', 'dcterms.title']
/** Declared for single pages, and not for whole sites. */
const PAGE_METAS =
  /^(?:article:(?:published|modified|author|section|tag)|product:|og:price|book:|music:|video:(?:duration|release)|citation_|dc\.date|twitter:(?:label1|data1|player)|al:ios:url|branch:deeplink)/
/** Types of Open Graph that whole sites have, too. */
const SITE_TYPE = /^(?:website|site|app|webapp|company|organization|profile)$/i

/**
 * Whether a document is a shell that its scripts fill: it has no content, and states nothing about this page, but at most about its
 * site. Only then is it worth opening the page in a browser for its metadata alone. Never true for a file or a document without scripts.
 */
function isShell(sources: MetadataSources, candidates: Candidates): boolean {
  if (!sources.scriptCount || !hasEmptyBody(sources)) return false
  if (hasNoMetadata(sources, candidates)) return true
  const { hasEmptyRoot, hasEmptyContainer, demandsScripts, hasBundle, textChars, body } = sources
  const isVoid = hasBundle && textChars === 0 && !body.image.length && !body.video.length
  if (!(hasEmptyRoot || hasEmptyContainer || demandsScripts || isVoid)) return false
  return isUnfinished(sources, candidates) || !describesPage(sources, candidates)
}

/** Hardly any text, and no headline. */
function hasEmptyBody({ textChars, hasEmptyRoot, body, title = '' }: MetadataSources): boolean {
  if (textChars > (hasEmptyRoot ? MAX_FRAME_CHARS : MAX_EMPTY_CHARS)) return false
  // The header of a site may be outside of the root.
  const isOfSite = (heading: string) => isVagueTitle(heading) || (hasEmptyRoot && isSameText(heading, title))
  return body.heading.every((heading) => !heading.trim() || isOfSite(heading))
}

function hasNoMetadata({ metas, jsonLd }: MetadataSources, { description, image }: Candidates): boolean {
  if (TITLE_METAS.some((name) => metas.has(name)) || jsonLd.mainEntities.length) return false
  return !description.length && !image.length
}

/** Whether the best title or the description is one that a tool wrote into a new project, or "Loading…". */
const isUnfinished = ({ metas, title: tag = '' }: MetadataSources, { title }: Candidates) =>
  !title[0] ||
  isVagueTitle(title[0]) ||
  (isVagueTitle(tag) && !TITLE_METAS.some((name) => metas.has(name))) ||
  (metas.get('description') ?? []).some(isScaffoldDescription)

/** Whether what a document without content declares is about this page, as when a server writes its head. */
function describesPage(sources: MetadataSources, { title }: Candidates): boolean {
  const { url, metas, jsonLd, links } = sources
  const path = pathOf(url)
  const stated = statedPaths(sources)
  if (stated.length) return stated.includes(path)
  if (jsonLd.mainEntities.length || [...metas.keys()].some((name) => PAGE_METAS.test(name))) return true
  if ((metas.get('og:type') ?? []).some((type) => !SITE_TYPE.test(type.trim()))) return true
  if (links.some(({ type }) => type.endsWith('json+oembed'))) return true
  const words = decodeUrlPart(path.split('/').at(-1)!).replace(/[^\p{L}\p{N}]+/gu, ' ')
  return /\p{L}{3}/u.test(words) && title.slice(0, 1).some((text) => areSimilar(text, words))
}

/** The paths that a document states as its own, by its canonical link and `og:url`. */
function statedPaths({
  url,
  baseUrl,
  links,
  metas,
}: Pick<MetadataSources, 'url' | 'baseUrl' | 'links' | 'metas'>): string[] {
  const canonical = links.filter(({ rels }) => rels.includes('canonical')).map(({ href }) => href)
  const stated = [...canonical, ...(metas.get('og:url') ?? [])].slice(0, MAX_TEXTS)
  return stated.flatMap((href) => {
    const absolute = parseUrl(href, baseUrl) ?? parseUrl(href, url)
    return absolute ? [pathOf(absolute.href)] : []
  })
}

/** The path, with the route of the client in the fragment: `/app#/clocks/4`. */
function pathOf(url: string): string {
  const { pathname, hash } = new URL(url)
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return /^#!?\//.test(hash) && hash.length > 3 ? path + hash : path
}

const isSameText = (one: string, other: string) =>
  one.trim() !== '' && one.trim().toLowerCase() === other.trim().toLowerCase()

/** @returns  `undefined` for a document whose metadata no script can improve: it has none, or is complete and about this page. */
export function summarise(sources: MetadataSources, candidates: Candidates): DocumentSummary | undefined {
  const { url, textChars, scriptCount, declarations } = sources
  if (!scriptCount) return undefined
  const titles = [...titlesOf(sources), ...candidates.title].slice(0, MAX_TEXTS)
  const headings = headingsOf(sources)
  const stated = statedPaths(sources)
  const isOwn = stated.includes(pathOf(url))
  const summary = {
    isShell: isShell(sources, candidates),
    isOfOtherPage: stated.length > 0 && !isOwn,
    titles,
    headings,
    paragraphs: paragraphsOf(sources),
    textChars,
    declarations,
  }
  const isComplete = isOwn && textChars >= MIN_COMPLETE_CHARS && anySimilar(headings, titles)
  return isComplete ? undefined : summary
}

const headingsOf = ({ body }: MetadataSources) => body.heading.filter((text) => text.trim()).slice(0, MAX_TEXTS)

const paragraphsOf = ({ body }: MetadataSources) =>
  body.paragraph.slice(0, MAX_TEXTS).map((text) => text.trim().slice(0, MAX_PARAGRAPH_CHARS))

const anySimilar = (some: readonly string[], others: readonly string[]) =>
  some.some((one) => others.some((other) => areSimilar(one, other)))

/** Fields whose value is the same on every page of a site. */
const SITE_FIELDS = new Set<MetadataField>(['publisher', 'logo', 'lang'])
/** Candidates with a lower score have a penalty. */
const MIN_SCORE = -50

/**
 * The candidates of a page after its scripts have run, what they have declared before what the document had declared already.
 *
 * @param before  The document as it was fetched.
 * @returns       `undefined` if the document as fetched describes the page better.
 */
export function rankRenderedCandidates(
  { all, added }: RenderedSources,
  before: DocumentSummary,
  options: { withUnusable?: boolean } = {},
): RankedCandidates | undefined {
  const titles = titlesOf(added)
  if (!isBetter({ all, added }, titles, before)) return undefined
  const siteNames = siteNamesOf(all, titles, before)
  const metas = before.isShell && before.isOfOtherPage ? withoutDescriptions(all.metas) : all.metas
  const candidates = rankCandidates({ ...all, metas: withSiteNames(metas, siteNames) }, options)
  const ranked = rankCandidates({ ...added, metas: withSiteNames(added.metas, siteNames) })
  for (const field of Object.keys(candidates) as MetadataField[]) {
    if (SITE_FIELDS.has(field)) continue
    const own = ranked[field]
      .filter(({ score }) => score > MIN_SCORE)
      .map((candidate) => ({ ...candidate, reasons: [...candidate.reasons, 'was set by a script'] }))
    candidates[field] = withoutRepetition([...own, ...candidates[field]])
  }
  return candidates
}

const DESCRIPTIONS = new Set(['description', 'og:description', 'twitter:description'])

/** A shell that states another page as its own describes that one, or the whole site. */
const withoutDescriptions = (metas: MetadataSources['metas']) =>
  new Map([...metas].filter(([name]) => !DESCRIPTIONS.has(name)))

const titlesOf = ({ title, metas }: Pick<MetadataSources, 'title' | 'metas'>): string[] =>
  [title, ...TITLE_METAS.flatMap((name) => metas.get(name) ?? [])].filter(
    (text): text is string => text !== undefined && text.trim() !== '',
  )

/** The names that the page declares for its site; else the title of the shell, if the title of the page contains it. */
function siteNamesOf(
  { metas }: MetadataSources,
  titles: readonly string[],
  { isShell, titles: before }: DocumentSummary,
): string[] {
  const declared = metas.get('og:site_name') ?? []
  if (declared.length || !isShell) return [...declared]
  const contains = (site: string) => titles.some((title) => title.length > site.length && title.includes(site))
  return before
    .map((title) => title.trim())
    .filter(contains)
    .slice(0, 1)
}

const withSiteNames = (metas: MetadataSources['metas'], names: readonly string[]) =>
  names.length ? new Map([...metas, ['og:site_name', names] as const]) : metas

/**
 * Whether the rendered document describes the page better than the one that was fetched. That is so for a shell, unless nothing was
 * rendered. A document with content was written for this page, and scripts may replace its title by a number of messages, or its
 * content by a login form; it describes another page only if its headline and its text are gone, and the scripts have set the title
 * that fits the new ones. Titles and headlines alone are tried on some visitors.
 *
 * @param titles  Those that the scripts have set.
 */
function isBetter({ all, added }: RenderedSources, titles: readonly string[], before: DocumentSummary): boolean {
  const headings = headingsOf(all)
  if (before.isShell) return titles.length > 0 || headings.length > 0 || all.textChars > before.textChars
  if (!titles.length || all.textChars < before.textChars / 2) return false
  if (before.isOfOtherPage && statedPaths(added).includes(pathOf(all.url))) return true
  const paragraphs = new Set(paragraphsOf(all))
  const remaining = before.paragraphs.filter((text) => paragraphs.has(text)).length
  if (remaining > 0 && remaining >= before.paragraphs.length / 2) return false
  return anySimilar(titles, headings) && !anySimilar(before.titles, headings)
}
