import prettyBytes from 'pretty-bytes'
import type { Media, PageData, PageQuery } from '../../query/index.js'
import type { MetadataSources } from './document/index.js'
import type { FetchContext } from './fetch/index.js'
import { findCandidates, type Candidates } from './find-candidates.js'
import { findDuration, formatDuration } from './find-duration.js'
import { isFieldRequested } from './requested-fields.js'
import { selectUrls, urlFields, type SelectedUrl, type UrlField } from './select-urls.js'

export interface ExtractedMetadata {
  data: PageData
  warnings: string[]
  /** When the candidates were known and the pings began; `performance.now()`. */
  pingStartedAt: number
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date'] as const

/** Selects the values of the requested fields; with `ping`, every URL among them is reachable. */
export async function extractMetadata(
  sources: MetadataSources,
  query: PageQuery,
  context: FetchContext,
): Promise<ExtractedMetadata> {
  const ownCandidates = findCandidates(sources)
  const pingStartedAt = performance.now()
  const { urls, candidates, warnings } = await selectUrls(sources, ownCandidates, { ...context, query })
  const data = { ...selectTexts(query, candidates), ...createUrlFields(query, urls, sources) }
  return { data, warnings, pingStartedAt }
}

function selectTexts(query: PageQuery, candidates: Candidates): PageData {
  const fields = TEXT_FIELDS.filter((field) => isFieldRequested(query, field))
  return Object.fromEntries(fields.map((field) => [field, candidates[field][0] ?? null]))
}

function createUrlFields(
  query: PageQuery,
  urls: ReadonlyMap<UrlField, SelectedUrl>,
  sources: MetadataSources,
): PageData {
  const data: PageData = {}
  for (const field of urlFields.filter((field) => isFieldRequested(query, field))) {
    const selected = urls.get(field)
    if (field === 'url') data.url = selected?.url ?? null
    else data[field] = selected ? { ...createMedia(selected), ...durationOf(field, selected, sources) } : null
  }
  return data
}

function createMedia({ url, ping, palette }: SelectedUrl): Media {
  const { type = null, size = null, width = null, height = null } = ping ?? {}
  const size_pretty = size === null ? null : prettyBytes(size)
  return { url, type, size, size_pretty, width, height, ...(palette && { palette }) }
}

/** Like the size, the duration is only stated for a URL that was checked. */
function durationOf(field: UrlField, { ping }: SelectedUrl, sources: MetadataSources): Partial<Media> {
  if (!ping || (field !== 'audio' && field !== 'video')) return {}
  const duration = findDuration(sources, field)
  return duration === undefined ? {} : { duration, duration_pretty: formatDuration(duration) }
}
