import type { PageState } from '../../query/index.js'

/**
 * The state of a link. `ok`: it shows its page. `changed`: another title or image than when it was frozen. `moved`: it redirects
 * permanently. `unclear`: the page refuses to be checked. `failing`: it does not work now. `gone`: it has not worked for several
 * checks.
 */
export type LinkStatus = 'ok' | 'changed' | 'moved' | 'unclear' | 'failing' | 'gone'

/** One link of a site. */
export interface LinkReport {
  url: string
  status: LinkStatus
  /** Why, as a sentence; absent for `ok`. */
  reason?: string
  /** The page's own HTTP status. */
  statusCode?: number
  /** Code of the error, where there was no response. */
  code?: string
  /** What the page showed instead of its content. */
  state?: PageState
  /** When it was first found failing, ISO 8601. */
  since?: string
  /** In how many checks in a row it failed, this one included. */
  checks?: number
  /** Where it redirects permanently. */
  newUrl?: string
  /** The titles, where they differ. */
  title?: { before: string; now: string }
  /** The share of pixels that differ from the frozen image, from 0 to 1. */
  imageDifference?: number
  /** Pages of the site that link there, relative to its folder; at most 10. */
  pages: string[]
}

/** Most urgent first. */
export const LINK_STATUSES: readonly LinkStatus[] = ['gone', 'failing', 'moved', 'changed', 'unclear', 'ok']
