import type { PageData, PageError } from '../../query/index.js'

/** The `detail` of each event of a preview, by the name after `page-preview:`. */
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

/** Handlers for frameworks that accept the name of any event after `on`. */
export type PreviewHandlers = {
  [Name in keyof PreviewEventMap as `on${Name}`]?: ((event: PreviewEventMap[Name]) => void) | undefined
}
