import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50

/** Resolves once a condition is true, or the time is up. */
export async function pollUntil(condition: () => boolean, timeoutMs: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < timeoutMs && !condition(); waitedMs += POLL_MS)
    await sleep(POLL_MS, undefined, { ref: false })
}
