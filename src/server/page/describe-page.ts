import prettyBytes from 'pretty-bytes'
import type { Media, PageData, PageQuery } from '../../query/index.js'
import { addressFields, chooseAddresses, type AddressField, type ChosenAddress } from './choose-addresses.js'
import { findCandidates, type Candidates } from './find-candidates.js'
import type { PageFacts } from './page-facts.js'
import type { PingOptions } from './ping-url.js'
import { findDuration, prettyDuration } from './find-duration.js'
import { isWanted } from './wanted-fields.js'

export interface PageDescription {
  data: PageData
  warnings: string[]
  /** When reading was over and asking began, as `performance.now()` counts. */
  readAt: number
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date'] as const

/** Chooses from what a page says about itself what the query asks for. With `ping` every address has answered. */
export async function describePage(facts: PageFacts, query: PageQuery, options: PingOptions): Promise<PageDescription> {
  const known = findCandidates(facts)
  const readAt = performance.now()
  const { chosen, candidates, warnings } = await chooseAddresses(facts, known, { ...options, query })
  return { data: { ...readTexts(query, candidates), ...readAddresses(query, chosen, facts) }, warnings, readAt }
}

function readTexts(query: PageQuery, candidates: Candidates): PageData {
  const fields = TEXT_FIELDS.filter((field) => isWanted(query, field))
  return Object.fromEntries(fields.map((field) => [field, candidates[field][0] ?? null]))
}

function readAddresses(query: PageQuery, chosen: ReadonlyMap<AddressField, ChosenAddress>, facts: PageFacts): PageData {
  const data: PageData = {}
  for (const field of addressFields.filter((field) => isWanted(query, field))) {
    const address = chosen.get(field)
    if (field === 'url') data.url = address?.url ?? null
    else data[field] = address ? { ...describeMedia(address), ...readDuration(field, address, facts) } : null
  }
  return data
}

function describeMedia({ url, pinged, palette }: ChosenAddress): Media {
  const { type = null, size = null, width = null, height = null } = pinged ?? {}
  const size_pretty = size === null ? null : prettyBytes(size)
  return { url, type, size, size_pretty, width, height, ...(palette && { palette }) }
}

/** Of an address that nobody has asked for nothing is told but itself. */
function readDuration(field: AddressField, { pinged }: ChosenAddress, facts: PageFacts): Partial<Media> {
  if (!pinged || (field !== 'audio' && field !== 'video')) return {}
  const duration = findDuration(facts, field)
  return duration === undefined ? {} : { duration, duration_pretty: prettyDuration(duration) }
}
