import type { PageData, Screenshot } from '../../query/index.js'
import type { ImageName } from '../store/index.js'

/** What one page gave, as it is kept: no address of the service and nothing of a single request is in it. */
export interface ExtractionResult {
  data: Omit<PageData, 'screenshot'>
  /** The picture by its kept name; its address is built for each request. */
  screenshot?: Omit<Screenshot, 'url'> & { image: ImageName }
  /** The target page's own. */
  statusCode: number
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  warnings: string[]
  /** Where the metadata comes from: the page as it was fetched, or as its scripts made it; `skipped`: none was wanted. */
  fetchMode: 'fetch' | 'prerender' | 'skipped'
  /** Its scripts would have been needed, but could not be run: it is soon made again. */
  isProvisional?: boolean
  /** Milliseconds by step: `load`, `read`, `capture` … */
  timings: Record<string, number>
}
