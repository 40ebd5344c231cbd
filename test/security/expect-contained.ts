import { expect } from 'vitest'
import { LIMITS, type AttackReport } from './attack-report.js'

/**
 * From where on a test fails. A shared machine pauses all processes for up to 2 seconds, so waiting times only tell a service
 * that hangs from one that responds; CPU time tells whether its main thread was blocked. Without its defence, an attack takes
 * seconds; a slow machine needs half a second for what is allowed.
 */
const FAILURE_THRESHOLDS: Record<keyof typeof LIMITS, number> = {
  ...LIMITS,
  slowestHitMs: 5_000,
  longestBusyMs: 1_000,
  slowestMetadataMs: 5_000,
}

/**
 * Expects that others were served beside an attack, and that the memory of the service kept its limit.
 *
 * @param thresholds  Of an attack that needs less than the others.
 */
export function expectContained(
  report: AttackReport,
  thresholds: Partial<Record<keyof typeof LIMITS, number>> = {},
): void {
  const exceeded = Object.entries({ ...FAILURE_THRESHOLDS, ...thresholds }).filter(
    ([name, limit]) => report[name as keyof typeof LIMITS] >= limit,
  )
  expect(exceeded, JSON.stringify(report)).toEqual([])
}
