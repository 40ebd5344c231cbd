/** What became known of a page by opening it. */
export interface Visit {
  /** Where the main frame ended up, after redirects and client-side navigation. */
  url: string
  /** Of the document that was shown. */
  statusCode: number
  /** Sentences for the answer's `warnings`. */
  warnings: string[]
  /** Milliseconds per stage. */
  timings: Record<string, number>
}

/** The document of a page as its scripts have made it. */
export interface Rendering extends Visit {
  /** Serialised; its first two million characters. */
  html: string
}

/** A picture of a page. */
export interface Capture extends Visit {
  bytes: Uint8Array
  type: ImageType
  /** The image's own pixels. */
  width: number
  height: number
  /** `#rrggbb`: the colour that the picture's edge has most. */
  backgroundColor: string
  /** Most present first, `#rrggbb`; only with `palette`. */
  palette?: string[]
  /** The document too, where it was wanted. */
  html: string | undefined
}

export type ImageType = 'jpg' | 'png' | 'webp' | 'avif'
