import type { PageData, Screenshot } from '../../query/index.js'
import type { ImageName } from '../store/index.js'

/** The extracted data of one page, as it is cached: independent of any single request, and without URLs of the service. */
export interface ExtractionResult {
  data: Omit<PageData, 'screenshot'>
  /** The screenshot by its name in the store; its URL is built for each request. `null` where `data` has a `state`. */
  screenshot?: (Omit<Screenshot, 'url'> & { image: ImageName }) | null
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
  /** How many times in a row the page did not show its content; only with `state`. */
  timesWithoutContent?: number
  /** Milliseconds by step: `load`, `read`, `capture` … */
  timings: Record<string, number>
}
