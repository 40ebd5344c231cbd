import { fields, type Explanation, type PageCandidates, type PageData, type Screenshot } from '../../query/index.js'
import type { StoredHistory } from '../history/index.js'
import type { RequestScope } from '../request-scope.js'
import { digest, type CacheEntry, type ImageName } from '../store/index.js'

/** The extracted data of one page, as it is cached: independent of any single request, and without URLs of the service. */
export interface ExtractionResult {
  data: Omit<PageData, 'screenshot'>
  /** The screenshot by its name in the store; its URL is built for each request. `null` if `data` has a `state`, or is of a file that cannot be shown. */
  screenshot?: (StoredScreenshot & { image: ImageName }) | null
  /** Status of the target page, after its redirects. */
  statusCode: number
  /** Response headers of the target page. */
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  warnings: string[]
  /** Source of the metadata: the fetched HTML, or the DOM after the page's scripts ran; `skipped` with `meta=false`. */
  fetchMode: 'fetch' | 'prerender' | 'skipped'
  /** The time of the request was used up before the page had loaded. */
  isCutShort?: boolean
  /**
   * The page needs its scripts, but they could not be run, or its waits were cut short because others waited for the browser; such a
   * result is cached for a short time only.
   */
  isProvisional?: boolean
  /**
   * An image or another resource of the page could not be verified, because it was slow or its server busy. Such a result is produced
   * again after a delay.
   */
  isUnverified?: boolean
  /** How many times in a row the page did not show its content, or else could not be verified; only with `state` or `isUnverified`. */
  attempts?: number
  /** Only with the parameter of this name. `null`: no screenshot could be compared yet. */
  history?: StoredHistory | null
  /** Only with the parameter of this name. */
  candidates?: PageCandidates
  /** Only with `explain`. */
  explanation?: Omit<Explanation, 'timings'>
  /** Milliseconds by step: `load`, `read`, `capture` … */
  timings: Record<string, number>
}

/** A screenshot without what is built for each request. */
interface StoredScreenshot extends Omit<Screenshot, 'url' | 'tiles'> {
  /** What it shows, in CSS pixels from the top left corner of the document. Absent if an earlier version captured it. */
  area?: { x: number; y: number; width: number; height: number }
}

/** A result whose screenshot is not stored yet, and so has no name. */
export interface ExtractedResult extends Omit<ExtractionResult, 'screenshot' | 'attempts' | 'history'> {
  screenshot?: StoredScreenshot | null
}

/** A result as it is stored. */
export type ResultEntry = CacheEntry<ExtractionResult>

/**
 * The key of a result. A request that is restricted to some hosts has its own entries, because redirects of other requests may
 * have led to any host. So has an API key for results with their history: what it has requested concerns nobody else. The key is a digest, because a query may be 64 kB long; see `BoundedRequest` for long keys.
 */
export function resultKey({
  parsed,
  query,
  allowedHosts,
  apiKey,
}: Pick<RequestScope, 'parsed' | 'query' | 'allowedHosts' | 'apiKey'>): string {
  const hosts = allowedHosts ? ` hosts=${allowedHosts.text}` : ''
  if (query.history === undefined) return digest(parsed.cacheKey + hosts)
  // Every length of a history is a part of the same one.
  const { cacheKey } = parsed.with({ history: fields.history.max })
  return digest(`${cacheKey}${hosts} key=${apiKey?.id ?? ''}`)
}

/** The key of a result that may not replace the entry of `key`; see `decideResult`. */
export const rejectedKey = (key: string): string => `rejected ${key}`
