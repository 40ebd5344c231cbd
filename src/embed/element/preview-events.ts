import type { PageData, PageError } from '../../query/index.js'

/** What the events of a preview bring as `detail`, by the name behind `page-preview:`. */
export interface PreviewEvents {
  /** The answer is there, the first time for this query. */
  load: PageData
  error: PageError
  /** A newer answer is shown in the place of an older one. */
  refresh: PageData
}

/** The events by their full names. */
export type PreviewEventMap = {
  [Name in keyof PreviewEvents as `page-preview:${Name}`]: CustomEvent<PreviewEvents[Name]>
}

/** Handlers as frameworks take them that listen to what comes after `on`. */
export type PreviewHandlers = {
  [Name in keyof PreviewEventMap as `on${Name}`]?: ((event: PreviewEventMap[Name]) => void) | undefined
}
