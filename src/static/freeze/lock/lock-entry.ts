import type { FrozenPreview } from '../markup/index.js'

/** The entry of one preview in the lock file; its parameters are the key. */
export interface LockEntry {
  url: string
  /** The last good result; absent for a link that never worked. */
  preview?: FrozenPreview
  /** Why the latest attempt failed; absent when it succeeded. */
  failure?: LinkFailure
}

export interface LinkFailure {
  /** An error code, `HTTP 404`, or the state of a page that did not show its content. */
  code: string
  message: string
  /** ISO 8601: the first failure since the link last worked. */
  since: string
  /** A URL of the Wayback Machine, which leads to the copy nearest in time. */
  archive?: string
}

/** The lock file: entries by key. */
export type Lock = Map<string, LockEntry>
