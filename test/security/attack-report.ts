/** What an innocent caller saw while an attack ran. */
export interface AttackReport {
  name: string
  /** The innocent caller's slowest cached result, in milliseconds. */
  slowestHitMs: number
  /** The most CPU time that the main thread of the service used while a cached result was requested, in milliseconds. */
  longestBusyMs: number
  /** The innocent caller's slowest new metadata, in milliseconds. */
  slowestMetadataMs: number
  /** The highest memory of the service's own process during the attack, in bytes. */
  maxRssBytes: number
}

/** What the innocent caller may notice at most, and what the service may use. */
export const LIMITS = {
  slowestHitMs: 100,
  longestBusyMs: 100,
  slowestMetadataMs: 1_000,
  maxRssBytes: 800_000_000,
} as const

declare module 'vitest' {
  interface TaskMeta {
    /** The attacks that a test ran, for the table at the end. */
    attacks?: AttackReport[]
  }
}
