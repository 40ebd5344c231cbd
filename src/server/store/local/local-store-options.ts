export interface LocalStoreOptions {
  /** Created when missing; several processes may open the same folder at once. */
  dataDir: string
  /** Limit for cache entries and images together. */
  maxBytes: number
  /** Free disk space that is left untouched: with less of it, writes fail with `ENOSPC`. Default: 64 MB. */
  reserveBytes?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Receives errors of background work, which reach no caller. Default: a warning of the process. */
  onError?: (error: unknown) => void
  /** Receives a sentence for the operator when something was damaged or removed. Default: a warning of the process. */
  onDamaged?: (message: string) => void
}
