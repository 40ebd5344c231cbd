import type { QueryClient } from '@tanstack/react-query'
import type { SharedOptions } from '../options/index.js'

/** What all previews of a page share. */
export interface PreviewContext {
  sharedOptions: SharedOptions
  /** Previews and links that load wherever they are: they came near the viewport before they could be mounted, or are printed. */
  eagerElements: WeakSet<Element>
  fetch: typeof fetch
  queryClient: QueryClient
  /** The stylesheet of every shadow root. */
  sheet: CSSStyleSheet
  /** The page is about to be printed, with all its previews. */
  isPrinting: boolean
}
