/** The result of a run. */
export interface FreezeResult {
  /** HTML files with previews. */
  pages: number
  /** HTML files that were changed. */
  changedPages: number
  /** Number of links by where their preview came from. */
  previews: { new: number; cached: number; refreshed: number; failed: number }
  failures: FailedLink[]
  /** Pages and previews that were left as they are. */
  skipped: SkippedPart[]
  /** Previews that have an invalid option, and were frozen without it. */
  warnings: PageWarning[]
  /** Bytes by which the site has grown. */
  bytesAdded: number
  /** Why the service or its browser could not be used; absent when it could. */
  serviceFailure?: { code: string; message: string }
}

/** A link whose preview could not be captured. */
export interface FailedLink {
  url: string
  code: string
  message: string
  /** Whether its card shows the last good result. */
  hasPreview: boolean
  /** HTML files that have it, relative to the site; at most 10. */
  pages: string[]
}

/** A page, or one of its previews, that was left as it is; or a folder that was not searched. */
export interface SkippedPart {
  /** Relative to the site; a folder ends with a slash. */
  page: string
  line?: number
  reason: string
}

/** What the author of a preview should know. */
export interface PageWarning {
  /** Relative to the site. */
  page: string
  line: number
  message: string
}
