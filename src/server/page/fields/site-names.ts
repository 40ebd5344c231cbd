import { canParseUrl } from '../../../query/written-url.js'
import type { MetadataSources } from '../document/index.js'
import { decodeEntities, isGeneric } from '../values/index.js'

const MAX_CHARS = 500
const MAX_DECLARED = 20
const MAX_SEGMENTS = 20
const MAX_LABELS = 6
/** Too many names begin with a shorter part of a host. */
const MIN_LABEL_CHARS = 3

const SITE_TYPE = /^(?:WebSite|Organi[sz]ation|NewsMediaOrganization|Corporation)$/

/** What the site of a page may be called; compared by its letters. */
export interface SiteNames {
  /** Names that the page declares, and the parts of its host. */
  declared: ReadonlySet<string>
  /** `declared` and the names in links to a home page, which may be the home page of a section. */
  all: ReadonlySet<string>
  /** The registered part of its host: `courier` and `courier.co.example` of `news.courier.co.example`; compared by letters. */
  registered: ReadonlySet<string>
}

export interface FoundSite {
  site: string
  /** Whether the page or its host states this name elsewhere, too. */
  isKnown: boolean
}

/** Separators of the parts of a title; those that words may have, too, only with spaces around them. */
export const TITLE_SEPARATOR = / (?:[|–—·•»«_/⋆⋅*~<>‹›│┃¦❘―‒∙‧・●◆★✦✩@-]|::?) |: |[|：｜]|--/g

/** The same between the sections of a site in Chinese, which has no spaces around it: `Section_Site`. */
const SECTION_SEPARATOR = /(?<=\p{Script=Han}) ?_ ?(?=\p{Script=Han})/u

/** The letters and digits of a text, without accents, in lower case. */
export function lettersOf(text: string): string {
  const lower = text.slice(0, MAX_CHARS).toLowerCase()
  return NOT_ASCII.test(lower)
    ? lower.normalize('NFD').replace(/[^\p{L}\p{N}]+/gu, '')
    : lower.replace(/[^a-z\d]+/g, '')
}

const NOT_ASCII = /[^ -~]/

/** The names that a page declares for its site, those in links to its home page, and the parts of its host. */
export function findSiteNames(sources: MetadataSources): SiteNames {
  const { metas, jsonLd, body } = sources
  const hosts = hostsOf(sources)
  const declared = [
    ...(metas.get('og:site_name') ?? []),
    ...(metas.get('application-name') ?? []),
    ...body.siteHeading,
    ...[...jsonLd.pages, ...jsonLd.others]
      .filter(({ types }) => types.some((type) => SITE_TYPE.test(type)))
      .flatMap((node) => node.texts('name')),
  ]
  const linked = body.homeLink.slice(0, MAX_DECLARED).filter((text) => !isGeneric(text))
  const names = [...hosts.flatMap(namesOfHost), ...declared.slice(0, MAX_DECLARED).map(decodeEntities)].map(lettersOf)
  return {
    declared: new Set(names),
    all: new Set([...names, ...linked.map(lettersOf)]),
    registered: new Set(hosts.flatMap(registeredNames).map(lettersOf)),
  }
}

/** The part of a text that names the site: a known name, or else the part farthest from the title that is not generic. */
export function findSiteIn(text: string, names: SiteNames, { isAfterTitle }: { isAfterTitle: boolean }): FoundSite {
  const parts = text
    .split(TITLE_SEPARATOR, MAX_SEGMENTS)
    .flatMap((part) => part.split(SECTION_SEPARATOR, MAX_SEGMENTS))
    .map((part) => part.trim())
    .filter(Boolean)
  const outermost = (candidates: readonly string[]) => candidates.at(isAfterTitle ? -1 : 0)
  const labels = [...names.registered].filter((label) => label.length >= MIN_LABEL_CHARS)
  const isDeclared = (part: string) =>
    names.declared.has(lettersOf(part)) || labels.some((label) => lettersOf(part).startsWith(label))
  const outer = outermost(parts.filter((part) => !isGeneric(part))) ?? outermost(parts) ?? ''
  if (names.all.has(lettersOf(outer))) return { site: outer, isKnown: true }
  const known = isAfterTitle ? parts.findLast(isDeclared) : parts.find(isDeclared)
  return { site: known ?? outer, isKnown: known !== undefined }
}

function hostsOf({ url, links, metas }: MetadataSources): string[] {
  const canonical = links.find(({ rels }) => rels.includes('canonical'))?.href
  const hosts = [url, canonical, metas.get('og:url')?.[0]].flatMap((address) =>
    address !== undefined && canParseUrl(address) ? new URL(address).hostname.replace(/^www\./, '') : [],
  )
  return [...new Set(hosts)]
}

const labelsOf = (host: string) => host.split('.').slice(-MAX_LABELS)

/** `online.courier.example`, `courier.example`, `online` and `courier`. */
function namesOfHost(host: string): string[] {
  const labels = labelsOf(host).slice(0, -1)
  return [...labels, ...labels.map((_, at) => labelsOf(host).slice(at).join('.'))]
}

/** Second-level domains under which some countries register names: `courier.co.uk`. */
const CATEGORY = /^(?:co|com|net|org|ac|gov|gob|gouv|edu|or|ne|go)$/

/** `courier`, and `courier.co.example`. */
function registeredNames(host: string): string[] {
  const labels = labelsOf(host)
  const at = labels.slice(0, -1).findLastIndex((label) => !CATEGORY.test(label))
  return at < 0 ? [] : [labels[at]!, labels.slice(at).join('.')]
}
