/** The main frame of a page as DevTools events report it. */
export interface MainFrame {
  /** `undefined` until the first document has arrived. */
  document(): LoadedDocument | undefined
  /** Why the frame has no document, or an incomplete one. */
  failure(): FailedNavigation | undefined
  /** Whether another document is on its way. */
  isNavigating(): boolean
  /** Whether the current document has fired the event. */
  hasFired(event: LoadEvent): boolean
  /** Whether no request has been in flight for this long, counted from the document's `load` event at the earliest. */
  isQuietFor(ms: number): boolean
  /** Resolves to whether the condition became true within the time, which is unlimited by default. */
  waitUntil(condition: () => boolean, options: { remainingMs?: () => number; signal: AbortSignal }): Promise<boolean>
}

export type LoadEvent = 'DOMContentLoaded' | 'load'

export interface LoadedDocument {
  loaderId: string
  url: string
  statusCode: number
  /** Headers of its response, names in lower case. */
  headers: Readonly<Record<string, string>>
}

/** A navigation of the main frame that brought no complete document. */
export interface FailedNavigation {
  url: string
  /** `net::ERR_…`, or the error code with which the egress proxy refused the request. */
  reason: string
}
