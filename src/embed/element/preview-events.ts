import type { PageData, PageError } from '../../query/index.js'

/** The `detail` of each event of a preview, by the name behind `page-preview:`. */
export interface PreviewEvents {
  /** The first result of this query has loaded. */
  load: PageData
  error: PageError
  /** A newer result has replaced the one that was shown. */
  refresh: PageData
}

/** The events by their full names. */
export type PreviewEventMap = {
  [Name in keyof PreviewEvents as `page-preview:${Name}`]: CustomEvent<PreviewEvents[Name]>
}

/** Handlers for frameworks that take the name of any event behind `on`. */
export type PreviewHandlers = {
  [Name in keyof PreviewEventMap as `on${Name}`]?: ((event: PreviewEventMap[Name]) => void) | undefined
}
