/** A picture of a page, and what became known of the page on the way. */
export interface Capture {
  bytes: Uint8Array
  type: PictureType
  /** The image's own pixels. */
  width: number
  height: number
  /** `#rrggbb`: the colour that the picture's edge has most. */
  backgroundColor: string
  /** Most present first, `#rrggbb`; only with `palette`. */
  palette?: string[]
  /** Where the main frame ended up, after redirects and client-side navigation. */
  url: string
  /** Of the document that was captured. */
  statusCode: number
  /** Sentences for the answer's `warnings`. */
  warnings: string[]
  /** Milliseconds per stage. */
  timings: Record<string, number>
}

export type PictureType = 'jpg' | 'png' | 'webp' | 'avif'
