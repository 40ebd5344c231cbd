import { BrowserUnavailableError } from './running-browser.js'
import type { Lease, Supervisor } from './supervisor.js'

const RECONNECT_TIMEOUT_MS = 10_000

/**
 * Uses several browsers as one: a page goes to the running browser with the fewest pages. Browsers that do not run are started,
 * or connected to, in the background whenever a page is opened; a page waits for them only when none runs.
 */
export function balanceBrowsers(supervisors: readonly Supervisor[]): Supervisor {
  const [first] = supervisors
  if (first && supervisors.length === 1) return first
  const pages = new Map(supervisors.map((supervisor) => [supervisor, 0]))
  const count = (supervisor: Supervisor, change: number) =>
    void pages.set(supervisor, (pages.get(supervisor) ?? 0) + change)

  const leaseFrom = async (supervisor: Supervisor, signal: AbortSignal): Promise<Lease> => {
    count(supervisor, 1)
    try {
      const lease = await supervisor.lease(signal)
      const release = () => {
        count(supervisor, -1)
        lease.release()
      }
      return { ...lease, release }
    } catch (error) {
      count(supervisor, -1)
      throw error
    }
  }

  return {
    async lease(signal) {
      const byLoad = supervisors.toSorted(
        (a, b) => Number(b.isRunning()) - Number(a.isRunning()) || (pages.get(a) ?? 0) - (pages.get(b) ?? 0),
      )
      const failures: BrowserUnavailableError[] = []
      for (const supervisor of byLoad.slice(1))
        if (!supervisor.isRunning()) void supervisor.respondsWithin(RECONNECT_TIMEOUT_MS)
      for (const supervisor of byLoad) {
        try {
          return await leaseFrom(supervisor, signal)
        } catch (error) {
          if (!(error instanceof BrowserUnavailableError)) throw error
          failures.push(error)
        }
      }
      const retryAfterMs = Math.min(...failures.map((failure) => failure.retryAfterMs))
      throw new BrowserUnavailableError('None of the browsers is available.', retryAfterMs, {
        cause: failures[0]?.cause,
      })
    },
    isRunning: () => supervisors.some((supervisor) => supervisor.isRunning()),
    respondsWithin: async (timeoutMs) =>
      (await Promise.all(supervisors.map((supervisor) => supervisor.respondsWithin(timeoutMs)))).includes(true),
    async warm(timeoutMs) {
      await Promise.all(supervisors.map((supervisor) => supervisor.warm(timeoutMs)))
    },
    status() {
      const all = supervisors.map((supervisor) => supervisor.status())
      const ages = all.map(({ ageSeconds }) => ageSeconds).filter((age) => age !== undefined)
      return {
        version: all.map(({ version }) => version).find(Boolean),
        pid: all.map(({ pid }) => pid).find(Boolean),
        restarts: all.reduce((sum, { restarts }) => sum + restarts, 0),
        ageSeconds: ages.length ? Math.max(...ages) : undefined,
      }
    },
    async close() {
      await Promise.all(supervisors.map((supervisor) => supervisor.close()))
    },
  }
}
