/** Names of the `<meta>` elements that give a page a title or a description for previews, which a bot check does not have. */
export const OWN_METADATA = ['og:title', 'og:description', 'description'] as const

/** What the browser knows about a page after it has loaded; texts are bounded. */
export interface PageObservation {
  requestedUrl: string
  /** URL of the document after redirects and client-side navigation. */
  url: string
  statusCode: number
  /** Response headers of the document; names in lower case. */
  headers: Readonly<Record<string, string>>
  document: ObservedDocument
  /** Whether the result shows the page, and not an element of it. */
  isWhole: boolean
  /** Statistics of the screenshot; absent if none was taken. */
  pixels?: { entropy: number; dominant: string } | undefined
  /** Whether banners that ask for consent were to be hidden. */
  hidesBanners: boolean
}

/** Read from the DOM and the layout, or from the HTML alone. */
export interface ObservedDocument {
  /** Whether a browser has rendered it; otherwise what scripts and styles add, hide or cover is not known. */
  isRendered: boolean
  /** Media type: `text/html`. */
  contentType: string
  title: string
  /** The first headings, as they are visible. */
  headings: string[]
  /** Visible text; at most its first 4,000 characters. */
  text: string
  /** Characters of all visible text; a lower bound for very long pages. */
  textChars: number
  /** Serialised; empty for a document with much text. */
  html: string
  /** The contents of its `<meta>` elements that say what it does not want of a preview; `''` without any. */
  optOut: string
  /** Whether it has any of `OWN_METADATA`. */
  hasOwnMetadata: boolean
  /** Whether it is changed by scripts, or shows other documents. */
  hasActiveContent: boolean
  /** Whether there is any text or medium in the document, visible or not. */
  hasContent: boolean
  /** Images, drawings, videos and frames in the viewport. */
  media: {
    count: number
    /** Part of the viewport that they cover, 0 to 1; overlaps count twice. */
    share: number
    /** The same share, but only of elements that nothing else hides and that have their own content, even in a single colour. */
    frontShare: number
  }
  /** Numbers of visible form fields. */
  fields: {
    password: number
    /** Other fields for text. */
    text: number
    /** Captcha widgets. */
    captcha: number
  }
  /** Labels of visible buttons and links; at most 50. */
  labels: string[]
  /** Whether it shows a small animation, a progress bar, or the placeholder of content. */
  isLoading: boolean
  /**
   * The visible text of an overlay that covers most of the viewport, or `frame:` and the names of its frames; empty if it has
   * neither, `null` if there is no such overlay.
   */
  cover: string | null
}
