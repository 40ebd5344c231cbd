import type { FrozenPreview } from './frozen-preview.js'
import type { CardRequest } from './card-request.js'

/** Which elements of a page are previews, and what they request. */
export interface FindPreviewsOptions {
  /**
   * Selector of plain links that become cards. Example: `main p > a[href^=http]:only-child`; text next to a link counts as a
   * child here.
   */
  auto?: string | undefined
  /** Selector of plain links that get a hover preview. */
  hover?: string | undefined
  /** Parameters and options by name, for every preview that does not set its own; `colorSchemes: 'light dark'` requests both. */
  defaults?: Readonly<Record<string, unknown>> | undefined
  /** URL of the page, to which relative links refer. Default: previews with relative links are left as they are. */
  baseUrl?: string | undefined
}

export interface FreezeHtmlOptions extends FindPreviewsOptions {
  /**
   * Produces the preview of a request, or finds it. Called once for each preview of the page, all at once. `undefined` where
   * nothing is known about the page: then the card is its link, without an image.
   */
  resolve: (request: CardRequest) => Promise<FrozenPreview | undefined>
  /** URL of the folder with images and stylesheet, as the page has to write it, with a slash at its end: `../page-preview/`. */
  assets: string
  /** The page contains the stylesheet instead of a link to it. Default `false`. */
  inlineStyles?: boolean | undefined
}

/** A preview that freezing left as it was, or a whole page, at its first line. */
export interface SkippedPreview {
  /** Position of the element in the page, counted from 1. */
  line: number
  column: number
  /** A sentence: what is wrong, and what to do. */
  reason: string
}

/** A problem of a preview that was frozen nevertheless, for its author. */
export interface PreviewWarning {
  /** Position of the element in the page, counted from 1. */
  line: number
  column: number
  message: string
}

/** A preview in a page. */
export interface FoundPreview {
  /** A card in the page, or a preview that is shown next to its link while that is hovered. */
  kind: 'card' | 'hover'
  request: CardRequest
  /** Position of the element in the page, counted from 1. */
  line: number
  column: number
}

export interface FrozenHtml<Html extends string | Uint8Array> {
  html: Html
  /** How many cards and hover previews the page has now. */
  previews: number
  /** Previews that were left as they are. */
  skipped: readonly SkippedPreview[]
  /** Warnings of previews with an option that does not exist. */
  warnings: readonly PreviewWarning[]
  /** The page needs the script tag and its parts in the folder of assets, for its hover previews: see `scriptFiles`. */
  needsScript: boolean
  /** Files to write to the folder of assets: the stylesheet, and the data of hover previews. */
  files: readonly TextFile[]
}

/** A file below the folder of assets, named by its content. */
export interface TextFile {
  name: string
  text: string
}
