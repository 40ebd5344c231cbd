import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessActivity } from './processes.js'

export interface RespondInTimeOptions {
  /** How long a browser that could run may take to respond. */
  limitMs: number
  /** `undefined` if it is not known. */
  readActivity: () => ProcessActivity | undefined
  /** Called each time that the browser has not responded for as long as the limit, because it waits for a CPU. */
  onStarved: () => void
}

const CHECKS_PER_LIMIT = 20
/**
 * However little of the CPU it gets, a browser that has not responded for this many times the limit is given up, so that captures have
 * time left for another one.
 */
const MAX_LIMITS = 3

/**
 * Waits for a response of a browser. While it waits for a CPU, which a page or another program keeps busy, only the CPU time that it
 * gets counts, since it cannot respond faster. A browser that is stopped, or waits for something else, has all the time that passes.
 *
 * @param responding  Settles with the response, or once the browser is gone.
 * @returns           Whether it has settled in time.
 */
export async function respondInTime(
  responding: Promise<unknown>,
  { limitMs, readActivity, onStarved }: RespondInTimeOptions,
): Promise<boolean> {
  const checkMs = limitMs / CHECKS_PER_LIMIT
  const settled = responding.then(
    () => true,
    () => true,
  )
  let countedMs = 0
  let cpuMsBefore: number | undefined
  // Late timers count once, because this process may not have had a CPU either.
  for (let checks = 1; checks <= CHECKS_PER_LIMIT * MAX_LIMITS; checks++) {
    if (await Promise.race([settled, sleep(checkMs, false, { ref: false })])) return true
    const activity = readActivity()
    // The first check has no CPU time to compare with.
    const usedMs = activity?.isRunnable ? activity.cpuMs - (cpuMsBefore ?? 0) : checkMs
    countedMs += Math.min(usedMs, checkMs)
    if (countedMs >= limitMs) return false
    if (checks % CHECKS_PER_LIMIT === 0) onStarved()
    cpuMsBefore = activity?.cpuMs
  }
  return false
}
