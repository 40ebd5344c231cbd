/**
 * An image, audio or video of the page. The service sends every field but the last three, `null` when it was not requested or
 * not found; your own data needs only `url`.
 */
export interface Media {
  /** Absolute. */
  url: string
  /** File type without dot: `jpg`, `svg`, `mp3`. */
  type?: string | null
  /** Bytes. */
  size?: number | null
  /** Decimal: `53.3 kB`. */
  size_pretty?: string | null
  /** The image's own pixels. */
  width?: number | null
  height?: number | null
  /** What the page says that the image shows; present only if it says so, for `image` only. */
  alt?: string
  /** Seconds; audio and video only. */
  duration?: number | null
  /** `12:07`. */
  duration_pretty?: string | null
  /** Most frequent first, `#rrggbb`; only with `palette`. */
  palette?: string[]
}

/** The screenshot that the service captured. */
export interface Screenshot {
  /** Absolute; content-addressed, so it never changes. */
  url: string
  /** The image's own pixels. */
  width: number
  height: number
  type: 'jpg' | 'png' | 'webp' | 'avif'
  /** Bytes. */
  size: number
  /** Decimal: `53.3 kB`. */
  size_pretty: string
  /** `#rrggbb`: the background to show until the image has loaded. */
  background_color: string
  /** Most frequent first, `#rrggbb`; only with `palette`. */
  palette?: string[]
}

/**
 * What a page showed instead of its content: a check whether its visitor is human, nothing at all, the message of an error,
 * a consent wall, or the login form that it redirects to.
 */
export type PageState = 'bot-check' | 'blank' | 'error-page' | 'consent' | 'login'

/** The metadata of a page; a field that was not found is `null`, a field that was not requested is absent. */
export interface PageData {
  title?: string | null
  description?: string | null
  /** BCP 47, lower case: `en`. */
  lang?: string | null
  author?: string | null
  publisher?: string | null
  /** ISO 8601, UTC. */
  date?: string | null
  /** The page's canonical URL. */
  url?: string | null
  image?: Media | null
  logo?: Media | null
  audio?: Media | null
  video?: Media | null
  /** Present only for a PDF that could be read. */
  pages?: number
  /**
   * Present only if requested; `null` if the page did not show its content, for the reason in `state`, or if it is a file
   * that cannot be shown, for the reason in `warnings`.
   */
  screenshot?: Screenshot | null
  /** Present only if the page did not show its content. */
  state?: PageState
}

/** The envelope of a successful response. */
export interface PageResponse {
  status: 'success'
  data: PageData
  /** The target page's own. */
  statusCode: number
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  /** Present only if there are any. */
  warnings?: string[]
}
