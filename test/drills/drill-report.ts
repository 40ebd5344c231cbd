import type { LoadReport } from './send-load.js'

export interface DrillReport extends LoadReport {
  name: string
  /** Requests that may fail. */
  mayFail: number
  /** What else was measured. */
  figure?: string | undefined
}

declare module 'vitest' {
  interface TaskMeta {
    /** What visitors saw during a drill, for the table at the end. */
    drill?: DrillReport
  }
}

/** The time that a share of them, such as 0.95, does not exceed. */
export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1]!
