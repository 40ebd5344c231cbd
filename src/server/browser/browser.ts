import type { PageState } from '../../query/index.js'
import type { ImageType } from '../images/index.js'
import type { RequestScope } from '../request-scope.js'

/** One supervised Chromium that captures and renders pages. */
export interface Browser {
  /**
   * Takes the screenshot that a request asks for. Its allowed hosts are those of the page and its navigations, of the image in
   * `overlay.background` and of `styles`.
   *
   * @param timeoutMs  In addition to the query's own `timeout`; the shorter one applies.
   * @param needsHtml  Called once the page has loaded: whether its document is needed in addition to the screenshot. Default: no.
   * @throws           {PageError} `EINVALQUERY`, `EINVALOVERLAYBG`, `EELEMENT`, `EFORBIDDENURL`, `EUNREACHABLE`, `EMAXREDIRECTS`, `ETOOLARGE`, `EBUSY`,
   *                   `ETIMEOUT`, `EBRWSRTIMEOUT`, `EFATAL`. An aborted `signal` throws its own reason, at once.
   */
  capture(scope: RequestScope, options: { timeoutMs?: number | undefined; needsHtml?: () => boolean }): Promise<Capture>
  /** Opens a page for its document alone, without images, fonts and media. Throws as `capture` does. */
  render(scope: RequestScope, options: { timeoutMs?: number | undefined }): Promise<RenderedPage>
  /** Whether a browser runs, or can be launched, and responds; checked at most once a second. */
  isReady(): Promise<boolean>
  /**
   * Launches the browser now, so that the first capture does not have to wait for it. Waits for at most 10 seconds.
   *
   * @throws  {Error} only where the browser needs its sandbox and cannot have it.
   */
  warm(): Promise<void>
  /** Version of the browser that was launched last, as `143.0.7499.0`; `undefined` before the first one. */
  version(): string | undefined
  /** Id of the browser process, while one runs that was launched here. */
  pid(): number | undefined
  /** Screenshots taken so far. */
  captures(): number
  /** Pages opened so far for their document alone. */
  renderings(): number
  /** Pages that are waiting for the browser right now. */
  queueLength(): number
  /** Pages that may be open at the same time, and those that are. */
  slots(): { all: number; busy: number }
  /** How many times the browser was replaced by a new one. */
  restarts(): number
  /** Seconds since the browser was started; `undefined` while none runs. */
  ageSeconds(): number | undefined
  /** Aborts running captures, shuts the browser down, and removes its profile. */
  close(): Promise<void>
}

/** How a visit went. */
export interface VisitReport {
  /** Whether its waits were cut short because others waited for the browser; another time it may show more. */
  isProvisional: boolean
  /** Sentences for the `warnings` of the response. */
  warnings: string[]
  /** Milliseconds per stage, and in `total`. */
  timings: Record<string, number>
}

/** What a visit found out about a page. */
export interface PageVisit extends VisitReport {
  /** Final URL of the main frame, after redirects and client-side navigation. */
  url: string
  /** HTTP status of the document in the main frame. */
  statusCode: number
  /** What the page showed instead of its content; `undefined`: its content. */
  state: PageState | undefined
  /** Whether the time to wait for the page was used up before it was complete. */
  isCutShort: boolean
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
