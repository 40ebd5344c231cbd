import type { MetadataSources } from '../document/index.js'

export interface TitleParts {
  title: string
  site: string
}

const MAX_TITLE_CHARS = 500
const MAX_SITE_CHARS = 60
const MAX_KNOWN_TITLES = 20
/** Between a title and the name of a site; a hyphen only with blanks around it. */
const SEPARATORS = new Set('|–—-·•»«:_：｜')
const BETWEEN_PARTS = / (?:[|–—·•»«_-]|::?) |: |[|：｜]|--/g
const MIN_SITE_LETTERS = 3

/**
 * Separates `<title>` into the title and the name of the site: `Title | Site`, `Site: Title`. What belongs to the title is known
 * where the page declares it elsewhere too; what is the site, where it repeats a declared name or the host.
 */
export function readTitleParts(sources: MetadataSources): TitleParts | undefined {
  const full = collapse(sources.title ?? '')
  if (!full || full.length > MAX_TITLE_CHARS) return undefined
  const siteNames = findSiteNames(sources)
  return splitAtTitle(full, sources, siteNames) ?? splitAtSite(full, siteNames)
}

/** The titles that the page declares as `og:title` or `twitter:title` with the name of its site behind, without that name. */
export function titlesWithoutSite(sources: MetadataSources): string[] {
  const siteNames = findSiteNames(sources)
  return declaredTitles(sources).flatMap((full) => {
    const parts = full.length <= MAX_TITLE_CHARS ? splitAtSite(full, siteNames) : undefined
    return parts && full.startsWith(parts.title) ? parts.title : []
  })
}

const declaredTitles = ({ metas }: MetadataSources) =>
  [...(metas.get('og:title') ?? []), ...(metas.get('twitter:title') ?? [])].slice(0, MAX_KNOWN_TITLES).map(collapse)

function splitAtTitle(full: string, sources: MetadataSources, siteNames: ReadonlySet<string>): TitleParts | undefined {
  const headings = sources.body.heading.slice(0, MAX_KNOWN_TITLES).map(collapse)
  const knownTitles = [...declaredTitles(sources), ...headings].slice(0, MAX_KNOWN_TITLES)
  for (const title of knownTitles) {
    if (!title || title.length === full.length || siteNames.has(letters(title))) continue
    const site = full.startsWith(title)
      ? afterSeparator(full.slice(title.length))
      : full.endsWith(title)
        ? beforeSeparator(full.slice(0, -title.length))
        : undefined
    if (site && site.length <= MAX_SITE_CHARS) return { title, site }
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
  return end && isSeparated ? site.split('--').at(-1)?.trim() : undefined
}

/** `Site` of `Site: `. */
function beforeSeparator(text: string): string | undefined {
  const start = text.trimEnd()
  let end = start.length
  while (SEPARATORS.has(start.charAt(end - 1))) end--
  return end < start.length && start.length < text.length ? start.slice(0, end).trimEnd() : undefined
}

/** The letters of the names that the page declares for its site, and of the parts of its host. */
function findSiteNames({ url, metas, jsonLd, body }: MetadataSources): ReadonlySet<string> {
  const host = new URL(url).hostname.replace(/^www\./, '')
  const declared = [
    ...(metas.get('og:site_name') ?? []),
    ...(metas.get('application-name') ?? []),
    ...body.siteHeading,
    ...jsonLd.pages.filter(({ types }) => types.includes('WebSite')).flatMap((node) => node.texts('name')),
  ]
  return new Set([host, ...host.split('.').slice(0, -1), ...declared.slice(0, MAX_KNOWN_TITLES)].map(letters))
}

function splitAtSite(full: string, siteNames: ReadonlySet<string>): TitleParts | undefined {
  const separators = [...full.matchAll(BETWEEN_PARTS)]
  const [first, last] = [separators[0], separators.at(-1)]
  if (!first || !last) return undefined
  const isSite = (text: string) =>
    text.length <= MAX_SITE_CHARS && letters(text).length >= MIN_SITE_LETTERS && siteNames.has(letters(text))
  const [beginning, ending] = [full.slice(0, first.index), full.slice(last.index + last[0].length)]
  if (isSite(ending)) return { title: full.slice(0, last.index), site: ending }
  return isSite(beginning) ? { title: full.slice(first.index + first[0].length), site: beginning } : undefined
}

const letters = (text: string) =>
  text
    .slice(0, MAX_TITLE_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()
