import prettyBytes from 'pretty-bytes'
import type { Dispatcher } from 'undici'
import type { Media, PageData, PageQuery } from '../../query/index.js'
import type { Guard } from '../network/index.js'
import { chooseAddresses, type AddressField, type ChosenAddress } from './choose-addresses.js'
import { describeFile } from './describe-file.js'
import { fetchPage } from './fetch-page.js'
import { findCandidates, type Candidates } from './find-candidates.js'
import { scanHtml } from './scan-html.js'
import { isPinged, isWanted } from './wanted-fields.js'

export interface PageReading {
  /** Without screenshot. A field that was not asked for is absent, one that was not found is `null`. */
  data: PageData
  statusCode: number
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  /** Where the redirects ended. */
  url: string
  warnings: string[]
  /** Milliseconds: `load` the page, `read` its metadata, `ping` what it names. */
  timings: Record<string, number>
}

export interface ReadOptions {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
}

const TEXT_FIELDS = ['title', 'description', 'lang', 'author', 'publisher', 'date'] as const
const ADDRESS_FIELDS = ['url', 'image', 'logo', 'audio', 'video'] as const

/**
 * Fetches a page and reads its metadata, without a browser. With `ping` every address in the result has answered.
 *
 * @throws  {PageError} as `fetchPage` does; an aborted `signal` throws its own reason.
 */
export async function readPage(query: PageQuery, options: ReadOptions): Promise<PageReading> {
  const clock = startClock()
  const { apiKey: _, ...headers } = { apiKey: undefined, ...query.headers }
  const page = await fetchPage(query.url, { ...options, headers })
  const load = clock()

  const candidates = findCandidates(page.html ? scanHtml(page.html, page.url) : describeFile(page))
  const read = clock()

  const wanted = ADDRESS_FIELDS.filter((field) => isWanted(query, field))
  const pinged = wanted.filter((field) => isPinged(query, field))
  const { chosen, warnings } = await chooseAddresses(candidates, pinged, { ...options, pageUrl: page.url })
  const ping = clock()

  for (const field of wanted) {
    const [url] = candidates[field]
    if (!pinged.includes(field) && url) chosen.set(field, { url })
  }
  const { statusCode, redirects, url } = page
  return {
    data: { ...readTexts(query, candidates), ...readAddresses(wanted, chosen) },
    statusCode,
    headers: page.headers,
    redirects,
    url,
    warnings,
    timings: { load, read, ping },
  }
}

function readTexts(query: PageQuery, candidates: Candidates): PageData {
  const fields = TEXT_FIELDS.filter((field) => isWanted(query, field))
  return Object.fromEntries(fields.map((field) => [field, candidates[field][0] ?? null]))
}

function readAddresses(fields: readonly AddressField[], chosen: ReadonlyMap<AddressField, ChosenAddress>): PageData {
  const data: PageData = {}
  for (const field of fields) {
    const address = chosen.get(field)
    if (field === 'url') data.url = address?.url ?? null
    else data[field] = address ? describeMedia(address) : null
  }
  return data
}

function describeMedia({ url, pinged }: ChosenAddress): Media {
  const { type = null, size = null, width = null, height = null } = pinged ?? {}
  return { url, type, size, size_pretty: size === null ? null : prettyBytes(size), width, height }
}

/** Each call gives the milliseconds since the one before. */
function startClock(): () => number {
  let last = performance.now()
  return () => {
    const elapsed = performance.now() - last
    last += elapsed
    return elapsed
  }
}
