import prettyBytes from 'pretty-bytes'
import type { Media, PageData, PageQuery } from '../../query/index.js'
import type { Candidates } from './find-candidates.js'
import { formatDuration } from './find-duration.js'
import type { DocumentReading } from './read-document.js'
import { isFieldRequested } from './requested-fields.js'
import { selectUrls, urlFields, type SelectedUrl, type SelectUrlsOptions, type UrlField } from './select-urls.js'

export interface ExtractedMetadata {
  data: PageData
  warnings: string[]
  /** When the candidates were known and the pings began; `performance.now()`. */
  pingStartedAt: number
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date'] as const

/** Selects the values of the requested fields; with `ping`, every URL among them is reachable. */
export async function extractMetadata(
  reading: DocumentReading,
  query: PageQuery,
  context: Omit<SelectUrlsOptions, 'query'>,
): Promise<ExtractedMetadata> {
  const pingStartedAt = performance.now()
  const { urls, candidates, warnings } = await selectUrls(reading, { ...context, query })
  const data = { ...selectTexts(query, candidates), ...createUrlFields(query, urls, reading) }
  return { data, warnings, pingStartedAt }
}

function selectTexts(query: PageQuery, candidates: Candidates): PageData {
  const fields = TEXT_FIELDS.filter((field) => isFieldRequested(query, field))
  return Object.fromEntries(fields.map((field) => [field, candidates[field][0] ?? null]))
}

function createUrlFields(
  query: PageQuery,
  urls: ReadonlyMap<UrlField, SelectedUrl>,
  reading: DocumentReading,
): PageData {
  const data: PageData = {}
  for (const field of urlFields.filter((field) => isFieldRequested(query, field))) {
    const selected = urls.get(field)
    if (field === 'url') data.url = selected?.url ?? null
    else data[field] = selected ? { ...createMedia(selected), ...durationOf(field, selected, reading) } : null
  }
  return data
}

function createMedia({ url, ping, palette }: SelectedUrl): Media {
  const { type = null, size = null, width = null, height = null } = ping ?? {}
  const size_pretty = size === null ? null : prettyBytes(size)
  return { url, type, size, size_pretty, width, height, ...(palette && { palette }) }
}

/** Like the size, the duration is only stated for a URL that was checked. */
function durationOf(field: UrlField, { ping }: SelectedUrl, { durations }: DocumentReading): Partial<Media> {
  if (!ping || (field !== 'audio' && field !== 'video')) return {}
  const duration = durations[field]
  return duration === undefined ? {} : { duration, duration_pretty: formatDuration(duration) }
}
