import { isHomePage } from '../candidate-check.js'
import type { MetadataSources } from '../document/index.js'
import { decodeEntities } from '../values/index.js'
import { TITLE_SEPARATOR, findSiteIn, findSiteNames, lettersOf, type FoundSite, type SiteNames } from './site-names.js'

export interface TitleParts extends FoundSite {
  title: string
}

const MAX_TITLE_CHARS = 500
const MAX_SITE_CHARS = 60
const MAX_KNOWN_TITLES = 20
/** Characters that separate a title from the name of a site. */
const SEPARATORS = new Set('|–—-·•»«:_：｜/⋆⋅')
/** Characters that do so only with spaces around them: a title may end with a quote or a wave. */
const SPACED_SEPARATOR = /^ [*~<>‹›│┃¦❘―‒∙‧・●◆★✦✩@] /
/** Separators after a declared title, which may contain a colon itself. */
const FIRM_SEPARATOR = /^(?: ?[|–—·•»«｜_-]| [⋆⋅] )/
const MIN_SITE_LETTERS = 3
/** Shorter labels of hosts begin other words, too. */
const MIN_DISTINCT_LETTERS = 8
/** Words that blogs put between their name and the title. */
const ARCHIVE = /^(?:blog archive|archive|archiv|archives|archivo) [»|–-] /i

/**
 * Separates `<title>` into the title and the name of the site: `Title | Site`, `Site: Title`. What belongs to the title is known
 * if the page declares it elsewhere too; what is the site, if it repeats a declared name or the host.
 */
export function readTitleParts(
  sources: MetadataSources,
  siteNames: SiteNames = findSiteNames(sources),
): TitleParts | undefined {
  const full = collapse(sources.title ?? '')
  if (!full || full.length > MAX_TITLE_CHARS) return undefined
  const titles = [...valuesOf(sources, ['og:title', 'twitter:title']), ...headingsOf(sources, full)]
  return splitAtTitle(full, titles, siteNames) ?? splitAtSite(full, siteNames)
}

/**
 * Removes from titles the names of the site and the authors, and everything that the heading lacks.
 *
 * @returns  The shortened titles, without titles from which nothing was removed.
 */
export function titlesWithoutSite(sources: MetadataSources, texts: readonly string[]): string[] {
  const titles = texts
    .slice(0, MAX_KNOWN_TITLES)
    .map(collapse)
    .filter((title) => title.length <= MAX_TITLE_CHARS)
  if (!titles.length) return []
  const siteNames = findSiteNames(sources)
  const all = new Set([...siteNames.all, ...authorsOf(sources).map(lettersOf)])
  const known = { ...siteNames, all, isHome: isHomePage(sources) }
  return titles.flatMap((full) => {
    const withoutSite = betweenSites(full, known)
    const headings = headingsOf(sources, full).map(withoutSeparator).filter(isDistinctive)
    const isHeadline = headings.some((heading) => lettersOf(heading) === lettersOf(withoutSite))
    const headlines = [...headings, ...entityNames(sources).filter(isDistinctive)]
    const parts = (title: string) => headlines.flatMap((headline) => partOfTitle(headline, title, known) ?? [])
    const [part] = isHeadline ? [] : [...parts(withoutSite), ...parts(full)]
    return part ?? (withoutSite === full ? [] : withoutSite)
  })
}

/**
 * The title without all the names of its site behind it, and without a declared one in front of it: `Title` of
 * `Title - Section Site | Company` and of `Site - Title`.
 */
function betweenSites(title: string, siteNames: SiteNames & { isHome: boolean }): string {
  const full = withoutSeparator(title)
  const parts = splitAtSite(full, siteNames)
  if (!parts) return full
  const isBehind = full.startsWith(parts.title)
  const isInFront = !siteNames.isHome && siteNames.declared.has(lettersOf(parts.site))
  return isBehind || isInFront ? betweenSites(parts.title, siteNames) : full
}

function withoutSeparator(text: string): string {
  let end = text.length
  while (end > 0 && (text.charAt(end - 1) === ' ' || SEPARATORS.has(text.charAt(end - 1)))) end--
  return text.slice(0, end)
}

const entityNames = ({ jsonLd }: MetadataSources) =>
  jsonLd.mainEntities.flatMap((node) => [...node.texts('headline'), ...node.texts('name')]).slice(0, MAX_KNOWN_TITLES)

const authorsOf = ({ jsonLd, metas }: MetadataSources) =>
  [...jsonLd.mainEntities.flatMap((node) => node.texts('author', 'name')), ...(metas.get('author') ?? [])].slice(
    0,
    MAX_KNOWN_TITLES,
  )

const valuesOf = ({ metas }: MetadataSources, names: readonly string[]) =>
  names
    .flatMap((name) => metas.get(name) ?? [])
    .slice(0, MAX_KNOWN_TITLES)
    .map(collapse)

/** The headings that may be in a title: those below the first level only if they are most of it, since others name the site. */
function headingsOf({ body: { heading, entryTitle, subheading } }: MetadataSources, full: string): string[] {
  const first = (texts: readonly string[]) => texts.slice(0, MAX_KNOWN_TITLES).map(collapse)
  const lower = [...first(entryTitle), ...first(subheading)].filter((text) => isMostOf(text, full))
  return [...first(heading), ...lower]
}

/** Whether a text is twice as long as each other part of a title. */
function isMostOf(text: string, full: string): boolean {
  const at = full.indexOf(text)
  const others = [full.slice(0, at), full.slice(at + text.length)].flatMap((rest) => rest.split(TITLE_SEPARATOR))
  return at >= 0 && others.every((part) => part.length * 2 <= text.length)
}

/** A single word may be the subject of a longer title. */
const isDistinctive = (title: string) => title.includes(' ') || /[\p{Lo}]{4}/u.test(title)

/** The heading as the title writes it, if the rest of the title is not part of the headline. */
function partOfTitle(heading: string, full: string, { all }: SiteNames): string | undefined {
  if (heading.length >= full.length || all.has(lettersOf(heading))) return undefined
  const [beginning, end] = [full.slice(0, heading.length), full.slice(-heading.length)]
  const after = full.slice(heading.length)
  const isRest =
    FIRM_SEPARATOR.test(after) || SPACED_SEPARATOR.test(after) || all.has(lettersOf(nameAfterPreposition(after)))
  if (isRest && isSameText(beginning, heading)) return beginning
  if (!isSameText(end, heading)) return undefined
  const start = full.slice(0, -heading.length)
  const before = beforeSeparator(start)
  const isLabel = before !== undefined && (all.has(lettersOf(before)) || KIND.test(before))
  return isLabel || BREADCRUMB.test(start) ? end : undefined
}

const isSameText = (one: string, other: string) => foldMarks(one) === foldMarks(other)

/** Publishing systems make straight quotes of curly ones in metadata, and hyphens of dashes. */
const foldMarks = (text: string) =>
  text
    .toLowerCase()
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[–—‐‑]/g, '-')

/** `Courier` of ` in the Courier`, ` Recipe on Courier` and ` by Courier`. */
const nameAfterPreposition = (text: string) => PREPOSITION_AND_NAME.exec(text)?.[1] ?? ''

const PREPOSITION_AND_NAME =
  /^ (?:[\p{L}\d-]{1,20} )?(?:on|at|from|by|auf|bei|von|vom|aus|sur|chez|par|de|en|di|da|su|op|door|van|på|fra|från|av|af|na|od) (.{2,60})$/u

/** A path of sections in front of a title: `Seafood > `. */
const BREADCRUMB = /^[^>›]{1,40}(?:[>›][^>›]{1,40}){0,3} [>›] $/

/** Names of kinds of pages, before a title. */
const KIND =
  /^(?:recipe|recette|rezept|receta|ricetta|receita|recept|recepten|opskrift|oppskrift|przepis|рецепт|video|vidéo|vídeo|photos|podcast)$/i

function splitAtTitle(full: string, titles: readonly string[], siteNames: SiteNames): TitleParts | undefined {
  for (const title of titles) {
    if (!title || title.length === full.length || siteNames.all.has(lettersOf(title))) continue
    const isAfterTitle = full.startsWith(title)
    const rest = isAfterTitle
      ? afterSeparator(full.slice(title.length))
      : full.endsWith(title)
        ? beforeSeparator(full.slice(0, -title.length))
        : undefined
    if (!rest || (!isAfterTitle && isSubject(full.slice(0, -title.length), rest, siteNames))) continue
    const found = findSiteIn(rest, siteNames, { isAfterTitle })
    if (found.site && found.site.length <= MAX_SITE_CHARS) return { title, ...found }
  }
  return undefined
}

/** Whether a text before a colon is the subject of the title: anything but a name that the host or the page states for its site. */
const isSubject = (start: string, text: string, { all }: SiteNames) =>
  COLON.test(start.slice(-MAX_SEPARATOR_CHARS)) &&
  ![text, text.replace(ARTICLE, '')].some((name) => all.has(lettersOf(name)))

const ARTICLE = /^(?:the|der|die|das|le|la|les|el|los|las|il|lo|het|de|o|os|as) /i
const COLON = /[:：] ?$/
const MAX_SEPARATOR_CHARS = 4

/** `Site` of ` | Site`, `_Site`, `：Site` and `--Section--Site`. */
function afterSeparator(text: string): string | undefined {
  if (SPACED_SEPARATOR.test(text)) return text.slice(3).trim()
  const start = text.trimStart()
  let end = 0
  while (SEPARATORS.has(start.charAt(end))) end++
  const site = start.slice(end)
  const isSeparated = site.startsWith(' ') || /^(?:[_：｜]|--)/.test(start)
  return end && isSeparated ? site.trim() : undefined
}

/** `Site` of `Site: `. */
function beforeSeparator(text: string): string | undefined {
  if (SPACED_SEPARATOR.test(text.slice(-3))) return text.slice(0, -3).trim()
  const start = text.trimEnd()
  let end = start.length
  while (SEPARATORS.has(start.charAt(end - 1))) end--
  return end < start.length && start.length < text.length ? start.slice(0, end).trimEnd() : undefined
}

function splitAtSite(full: string, siteNames: SiteNames): TitleParts | undefined {
  const parts = (title: string, text: string): TitleParts | undefined => {
    const site = siteIn(text, siteNames)
    return site === undefined ? undefined : { title, site, isKnown: true }
  }
  const { title = '', site = '' } = (SITE_BEHIND.exec(full) ?? SITE_IN_FRONT.exec(full))?.groups ?? {}
  const inBrackets = parts(title, site)
  if (inBrackets) return inBrackets
  const separators = [...full.matchAll(TITLE_SEPARATOR)]
  const [first] = separators
  if (!first) return undefined
  for (const [at, separator] of [...separators.entries()].toReversed()) {
    const text = full.slice(separator.index + separator[0].length, separators[at + 1]?.index)
    const found = parts(full.slice(0, separator.index), text)
    if (found) return found
  }
  const end = first.index + first[0].length
  const start = full.slice(0, first.index)
  return isSubject(full.slice(0, end), start, siteNames)
    ? undefined
    : parts(full.slice(end).replace(ARCHIVE, ''), start)
}

/** The known name of a site, without words in brackets behind it, or the words of `Recipe from Courier` in front of it. */
function siteIn(text: string, { all, registered }: SiteNames): string | undefined {
  if (text.length > MAX_SITE_CHARS) return undefined
  const name = text.replace(BRACKETS, '')
  const isLonger = [...registered].some(
    (label) => label.length >= MIN_DISTINCT_LETTERS && lettersOf(name).startsWith(label),
  )
  if (isLonger) return name
  return [text, name, nameAfterPreposition(` ${name}`)].find((each) => {
    const letters = lettersOf(each)
    return letters.length >= MIN_SITE_LETTERS && all.has(letters)
  })
}

/** `Title [Site]`, `Title (Site)`, `Title【Site】`. */
const SITE_BEHIND = /^(?<title>.{1,400}[^ ])(?: [[(]|[【（])(?<site>[^[\](){}【】（）]{1,60})[\])】）]$/
/** `【Site】Title`, `[Site] Title`. */
const SITE_IN_FRONT = /^(?:\[|【)(?<site>[^[\](){}【】（）]{1,60})(?:\] |】 ?)(?<title>[^ ].*)$/
const BRACKETS = / ?\([^()]*\)$/

/** Some titles are escaped twice, and their separators with them. */
const collapse = (text: string) => decodeEntities(text).replace(/\s+/g, ' ').trim()
