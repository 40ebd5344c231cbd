import type { MetadataSources } from '../document/index.js'
import { BETWEEN_PARTS, findSiteIn, findSiteNames, lettersOf, type FoundSite, type SiteNames } from './site-names.js'

export interface TitleParts extends FoundSite {
  title: string
}

const MAX_TITLE_CHARS = 500
const MAX_SITE_CHARS = 60
const MAX_KNOWN_TITLES = 20
/** Between a title and the name of a site. */
const SEPARATORS = new Set('|–—-·•»«:_：｜/')
/** After a declared title, which may contain a colon itself. */
const FIRM_SEPARATOR = /^ ?[|–—·•»«｜_-]/
const MIN_SITE_LETTERS = 3
/** Words that blogs put between their name and the title. */
const ARCHIVE = /^(?:blog archive|archive|archiv|archives|archivo) [»|–-] /i

/**
 * Separates `<title>` into the title and the name of the site: `Title | Site`, `Site: Title`. What belongs to the title is known
 * where the page declares it elsewhere too; what is the site, where it repeats a declared name or the host.
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

/** The titles that the page declares by a `<meta>`, without the name of its site or anything else that its heading lacks. */
export function titlesWithoutSite(sources: MetadataSources, names: readonly string[]): string[] {
  const titles = valuesOf(sources, names).filter((title) => title.length <= MAX_TITLE_CHARS)
  if (!titles.length) return []
  const siteNames = findSiteNames(sources)
  return titles.flatMap((full) => {
    const parts = splitAtSite(full, siteNames)
    const withoutSite = parts && full.startsWith(parts.title) ? parts.title : undefined
    const headings = headingsOf(sources, full).filter(isDistinctive)
    return headings.find((heading) => isWithinTitle(heading, full, siteNames)) ?? withoutSite ?? []
  })
}

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
  const others = [full.slice(0, at), full.slice(at + text.length)].flatMap((rest) => rest.split(BETWEEN_PARTS))
  return at >= 0 && others.every((part) => part.length * 2 <= text.length)
}

/** A single word may be the subject of a longer title. */
const isDistinctive = (title: string) => title.includes(' ') || /[\p{Lo}]{4}/u.test(title)

function isWithinTitle(heading: string, full: string, siteNames: SiteNames): boolean {
  if (heading.length >= full.length || siteNames.all.has(lettersOf(heading))) return false
  if (full.startsWith(heading)) return FIRM_SEPARATOR.test(full.slice(heading.length))
  const site = full.endsWith(heading) ? beforeSeparator(full.slice(0, -heading.length)) : undefined
  return site !== undefined && siteNames.all.has(lettersOf(site))
}

function splitAtTitle(full: string, titles: readonly string[], siteNames: SiteNames): TitleParts | undefined {
  for (const title of titles) {
    if (!title || title.length === full.length || siteNames.all.has(lettersOf(title))) continue
    const isAfterTitle = full.startsWith(title)
    const rest = isAfterTitle
      ? afterSeparator(full.slice(title.length))
      : full.endsWith(title)
        ? beforeSeparator(full.slice(0, -title.length))
        : undefined
    const found = rest ? findSiteIn(rest, siteNames, { isAfterTitle }) : undefined
    if (found?.site && found.site.length <= MAX_SITE_CHARS) return { title, ...found }
  }
  return undefined
}

/** `Site` of ` | Site`, `_Site`, `：Site` and `--Section--Site`. */
function afterSeparator(text: string): string | undefined {
  const start = text.trimStart()
  let end = 0
  while (SEPARATORS.has(start.charAt(end))) end++
  const site = start.slice(end)
  const isSeparated = site.startsWith(' ') || /^(?:[_：｜]|--)/.test(start)
  return end && isSeparated ? site.trim() : undefined
}

/** `Site` of `Site: `. */
function beforeSeparator(text: string): string | undefined {
  const start = text.trimEnd()
  let end = start.length
  while (SEPARATORS.has(start.charAt(end - 1))) end--
  return end < start.length && start.length < text.length ? start.slice(0, end).trimEnd() : undefined
}

function splitAtSite(full: string, siteNames: SiteNames): TitleParts | undefined {
  const isSite = (text: string) =>
    text.length <= MAX_SITE_CHARS && lettersOf(text).length >= MIN_SITE_LETTERS && siteNames.all.has(lettersOf(text))
  const bracket = full.endsWith(']') ? full.lastIndexOf(' [') : -1
  const inBrackets = full.slice(bracket + 2, -1)
  if (bracket > 0 && isSite(inBrackets)) return { title: full.slice(0, bracket), site: inBrackets, isKnown: true }
  const separators = [...full.matchAll(BETWEEN_PARTS)]
  const [first, last] = [separators[0], separators.at(-1)]
  if (!first || !last) return undefined
  const [beginning, ending] = [full.slice(0, first.index), full.slice(last.index + last[0].length)]
  if (isSite(ending)) return { title: full.slice(0, last.index), site: ending, isKnown: true }
  const title = full.slice(first.index + first[0].length).replace(ARCHIVE, '')
  return isSite(beginning) ? { title, site: beginning, isKnown: true } : undefined
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()
