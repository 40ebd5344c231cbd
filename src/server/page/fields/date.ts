import { DAY_MS } from '../../utc-day.js'
import type { MetadataSources } from '../document/index.js'
import {
  articleProperty,
  nearHeadlineProperty,
  mainEntity,
  meta,
  pageNode,
  rule,
  uniqueBodyProperty,
  type Rule,
} from './rule.js'
import { normaliseDate } from './parse-date.js'

const publishedTime = meta('article:published_time', 'og:article:published_time')

/** Dates of publication in metadata. */
const declaredRules: readonly Rule[] = [
  otherThanLastChange(publishedTime),
  onlyOneDay(meta('datepublished')),
  onlyOneDay(meta('uploaddate')),
  mainEntity('datePublished'),
  publishedTime,
  mainEntity('uploadDate'),
  mainEntity('datePosted'),
  earliest(
    meta(
      'citation_online_date',
      'citation_publication_date',
      'citation_date',
      'citation_cover_date',
      'bepress_citation_online_date',
      'bepress_citation_date',
      'prism.publicationdate',
    ),
  ),
  meta(
    'parsely-pub-date',
    'sailthru.date',
    'pubdate',
    'pub_date',
    'publish-date',
    'publish_date',
    'publishdate',
    'published_date',
    'publisheddate',
    'publishtime',
    'publish_time',
    'publish-time',
    'article_date_original',
    'pdate',
    'ptime',
    'eprints.date',
    'displaydate',
    'epoch-publish-date',
    'publication_date',
    'originalpublicationdate',
    'published_time',
    'og:published_time',
    'cxenseparse:recs:publishtime',
    'dc.date.issued',
    'dcterms.issued',
    'dcterms.available',
    'dc.date.available',
    'dc.date',
    'dcterms.date',
    'dc.date.created',
    'dcterms.created',
    'article.published',
    'article:published',
    'og:release_date',
    'video:release_date',
    'music:release_date',
    'book:release_date',
    'og:pubdate',
    'date',
  ),
]

export const dateRules: readonly Rule[] = [
  rule('metadata and URL', declaredAsInUrl),
  ...declaredRules,
  headlineDate('published'),
  articleProperty('published'),
  uniqueBodyProperty('published', day),
  mainEntity('dateCreated'),
  ...[
    headlineDate('dated'),
    onlyFewDays(articleProperty('dated')),
    uniqueBodyProperty('dated', day),
    headlineDate('byline'),
    headlineDate('bylineText'),
    headlineDate('datedText'),
  ].map(withoutEvents),
  rule('URL', ({ url }) => [dateInUrl(url)]),
  pageNode(/Page$/, 'datePublished'),
  meta(
    'article:modified_time',
    'og:updated_time',
    'datemodified',
    'last-modified',
    'dcterms.modified',
    'dc.date.modified',
  ),
  mainEntity('dateModified'),
  articleProperty('modified'),
  uniqueBodyProperty('modified', day),
]

/** Some publishing systems state the time of the last change as the time of publication too. */
function otherThanLastChange({ source, read }: Rule): Rule {
  return rule(source, (sources) => {
    const toMinute = (text = '') => normaliseDate(text)?.slice(0, MINUTE_CHARS)
    const changes = new Set([...CHANGED.read(sources), ...MODIFIED.read(sources)].map(toMinute))
    return changes.size ? [...read(sources)].filter((text) => !changes.has(toMinute(text))) : read(sources)
  })
}

const CHANGED = meta('article:modified_time')
const MODIFIED = mainEntity('dateModified')

/** Length of `2024-03-12T08:30`. */
const MINUTE_CHARS = 16

/**
 * A paper may be published online before it is in print, and again when it is revised or its journal is digitised. The first day of a
 * month stands for an issue, so another day of that month is more exact.
 */
function earliest({ source, read }: Rule): Rule {
  return rule(source, (sources) => {
    const dates = Array.from(read(sources))
      .slice(0, MAX_DECLARED)
      .flatMap((text = '') => normaliseDate(text, { lang: sources.lang }) ?? [])
      .toSorted()
    const [first] = dates
    const inMonth = dates.find(
      (date) => date.slice(0, MONTH_CHARS) === first?.slice(0, MONTH_CHARS) && !FIRST_DAY.test(date),
    )
    return [first && FIRST_DAY.test(first) ? (inMonth ?? first) : first]
  })
}

/** Length of `2024-03`. */
const MONTH_CHARS = 7
const FIRST_DAY = /^.{8}01T00:00:00/

/** More different days in an article, with none near its headline, belong to other articles that it lists. */
function onlyFewDays({ source, read }: Rule): Rule {
  return rule(source, (sources) => {
    const texts = [...new Set(read(sources))].slice(0, MAX_DECLARED)
    const days = new Set(texts.flatMap((text = '') => day(text, sources) ?? []))
    return days.size <= MAX_ARTICLE_DAYS ? texts : []
  })
}

/** The day of publication and that of the last change. */
const MAX_ARTICLE_DAYS = 2

/** Several different days in microdata belong to a list of articles. */
function onlyOneDay({ source, read }: Rule): Rule {
  return rule(source, (sources) => {
    const texts = [...new Set(read(sources))].slice(0, MAX_DECLARED)
    const days = new Set(texts.flatMap((text = '') => day(text, sources) ?? []))
    return days.size === 1 ? texts : []
  })
}

/** An article has a date of publication and one of its last change. */
function headlineDate(property: 'published' | 'dated' | 'datedText' | 'byline' | 'bylineText'): Rule {
  return nearHeadlineProperty(property, { normalise: day, max: 2 })
}

/** Several times of the same day count as one date. */
function day(text: string, { lang }: MetadataSources): string | undefined {
  return normaliseDate(text, { lang })?.slice(0, 10)
}

/** Leaves out dates of events and ends of offers; the page of an event yields no date at all, since it has no others. */
function withoutEvents({ source, read }: Rule): Rule {
  return rule(source, (sources) => {
    if (sources.jsonLd.mainEntities.some(({ types }) => types.some((type) => type.endsWith('Event')))) return []
    const days = eventDays(sources)
    const texts = [...read(sources)]
    return days.size ? texts.filter((text) => !days.has(day(text ?? '', sources) ?? '')) : texts
  })
}

const MAX_EVENT_DAYS = 50

function eventDays(sources: MetadataSources): ReadonlySet<string> {
  const texts = sources.jsonLd.all.flatMap((node) => [
    ...node.texts('startDate'),
    ...node.texts('endDate'),
    ...node.texts('offers', 'priceValidUntil'),
  ])
  return new Set(texts.slice(0, MAX_EVENT_DAYS).flatMap((text) => day(text, sources) ?? []))
}

/** The date in the metadata that the URL repeats; the two may be in different time zones. */
function declaredAsInUrl(sources: MetadataSources): (string | undefined)[] {
  const inUrl = dateInUrl(sources.url)
  if (!inUrl) return []
  const texts = declaredRules.flatMap(({ read }) => Array.from(read(sources))).slice(0, MAX_DECLARED)
  const isSameDay = (text = '') => Math.abs(Date.parse(day(text, sources) ?? '') - Date.parse(inUrl)) <= DAY_MS
  return [texts.find(isSameDay)]
}

const MAX_DECLARED = 10

const MAX_URL_CHARS = 1_000
const DATED_PATHS = [
  /\/(?<year>\d{4})([/-])(?<month>0[1-9]|1[0-2])\2(?<day>0[1-9]|[12]\d|3[01])(?=[/-]|$)/,
  /\/(?<year>\d{4})\/[a-z]{2,20}\/(?<month>0[1-9]|1[0-2])\/(?<day>0[1-9]|[12]\d|3[01])(?=\/|$)/i,
  /\/(?<year>\d{4})\/(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\/(?<day>0[1-9]|[12]\d|3[01])(?=\/|$)/,
]
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `2024-03-12` of `/2024/03/12/story`, `/2024/section/03/12/story` and `/2024/mar/12/story`. */
function dateInUrl(url: string): string | undefined {
  const { pathname } = new URL(url.slice(0, MAX_URL_CHARS))
  const groups = DATED_PATHS.map((path) => path.exec(pathname)?.groups).find(Boolean)
  if (!groups) return undefined
  const { year, month = '', day } = groups
  const name = MONTHS.indexOf(month)
  return [year, name < 0 ? month : String(name + 1).padStart(2, '0'), day].join('-')
}
