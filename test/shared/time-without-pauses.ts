import { setTimeout as delay } from 'node:timers/promises'

const INTERVAL_MS = 100

/**
 * Measures `run`, less the slowest health check of the service meanwhile, because a busy machine pauses everything for a while.
 *
 * @param url  Of the service.
 * @returns    Milliseconds.
 */
export async function timeWithoutPauses(url: string, run: () => Promise<unknown>): Promise<number> {
  const end = new AbortController()
  let slowestMs = 0
  const timeOf = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const checkHealth = async () => (await fetch(new URL('/healthz', url))).arrayBuffer()
  const checks = (async () => {
    while (!end.signal.aborted) {
      const checkMs = await timeOf(checkHealth)
      slowestMs = Math.max(slowestMs, checkMs)
      await delay(INTERVAL_MS)
    }
  })()
  const ms = await timeOf(run).finally(() => end.abort())
  await checks
  return ms - slowestMs
}
