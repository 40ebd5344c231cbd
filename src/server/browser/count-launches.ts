import type { LaunchBrowser } from './launch-with-backoff.js'

export interface CountedLauncher {
  launch: LaunchBrowser
  /** Browsers that were started or connected to. */
  count(): number
  /** Seconds since the latest one was started; `undefined` when it is gone. */
  ageSeconds(): number | undefined
}

/** Counts the launches of a browser that succeed. */
export function countLaunches(launch: LaunchBrowser): CountedLauncher {
  let count = 0
  let latest: { startedAt: number; gone: AbortSignal } | undefined
  return {
    async launch(signal) {
      const browser = await launch(signal)
      count++
      latest = { startedAt: performance.now(), gone: browser.gone }
      return browser
    },
    count: () => count,
    ageSeconds: () => (latest && !latest.gone.aborted ? (performance.now() - latest.startedAt) / 1_000 : undefined),
  }
}
