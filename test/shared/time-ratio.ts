import { expect } from 'vitest'

/** Attempts before a slow measurement counts: the machine may be busy, or the code not compiled yet. */
const ATTEMPTS = 6

/**
 * Asserts that work takes at most `maxRatio` times the CPU time of a reference, which is measured in the same run. Both are synchronous;
 * of several attempts the fastest count.
 */
export function expectTimeRatio(work: () => unknown, reference: () => unknown, maxRatio: number): void {
  let [workUs, referenceUs] = [Infinity, Infinity]
  for (let attempt = 0; attempt < ATTEMPTS && !(workUs < maxRatio * referenceUs); attempt++) {
    referenceUs = Math.min(referenceUs, cpuTime(reference))
    workUs = Math.min(workUs, cpuTime(work))
  }
  expect(workUs / referenceUs).toBeLessThan(maxRatio)
}

/** In microseconds. */
function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, user + system)
}
