/** What an innocent caller saw while an attack ran. */
export interface AttackReport {
  name: string
  /** The innocent caller's slowest cached result, in milliseconds. */
  slowestHitMs: number
  /** The innocent caller's slowest new metadata, in milliseconds. */
  slowestMetadataMs: number
  /** The highest memory of the service's own process during the attack, in bytes. */
  maxRssBytes: number
}

/** What the innocent caller may notice at most, and what the service may use. */
export const LIMITS = { slowestHitMs: 100, slowestMetadataMs: 1_000, maxRssBytes: 600_000_000 } as const

/** From where on a test fails: several times the limits of time, because a shared machine pauses; without its defence, an attack takes seconds. */
export const FAILURE_THRESHOLDS = { ...LIMITS, slowestHitMs: 500, slowestMetadataMs: 4_000 } as const

declare module 'vitest' {
  interface TaskMeta {
    /** The attacks that a test ran, for the table at the end. */
    attacks?: AttackReport[]
  }
}
