import type { PageState } from '../../query/index.js'
import type { ImageType } from '../images/index.js'

/** What a visit found out about a page. */
export interface PageVisit {
  /** Final URL of the main frame, after redirects and client-side navigation. */
  url: string
  /** HTTP status of the document in the main frame. */
  statusCode: number
  /** What the page showed instead of its content; `undefined`: its content. */
  state: PageState | undefined
  /** Whether the time to wait for the page was used up before it was complete. */
  isCutShort: boolean
  /** Whether its waits were cut short because others waited for the browser; another time it may show more. */
  isProvisional: boolean
  /** Sentences for the `warnings` of the response. */
  warnings: string[]
  /** Milliseconds per stage, and in `total`. */
  timings: Record<string, number>
}

/** The document of a page after its scripts have run. */
export interface RenderedPage extends PageVisit {
  /** Serialized; at most the first two million characters. */
  html: string
}

/** The screenshot of a page. */
export interface Capture extends PageVisit {
  bytes: Uint8Array
  type: ImageType
  /** The image's own pixels. */
  width: number
  height: number
  /** `#rrggbb`: the most frequent colour along the edges of the image. */
  backgroundColor: string
  /** `#rrggbb`, most frequent first; only with `palette`. */
  palette?: string[]
  /** The document too, where it was needed. */
  html: string | undefined
}
