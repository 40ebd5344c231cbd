import { followSignals } from '../jobs/index.js'
import type { PageOutcome } from './job-store.js'

/** The pages that run in this process, by job: they are aborted when their job is removed. */
export interface RunningPages {
  /** The jobs that have a page here. */
  jobs(): Iterable<string>
  /** @returns  What `capture` resolves with; `undefined` if it was aborted. */
  run(job: string, capture: (signal: AbortSignal) => Promise<PageOutcome>): Promise<PageOutcome | undefined>
  /** Aborts the pages of a job that was removed. */
  abort(job: string): void
}

/** @param closing  Aborts all pages. */
export function createRunningPages(closing: AbortSignal): RunningPages {
  const removals = new Map<string, Set<AbortController>>()
  return {
    jobs: () => removals.keys(),
    async run(job, capture) {
      const removal = new AbortController()
      const ofJob = removals.get(job) ?? new Set()
      removals.set(job, ofJob.add(removal))
      const { signal, release } = followSignals([closing, removal.signal])
      try {
        return await capture(signal).catch(() => undefined)
      } finally {
        release()
        ofJob.delete(removal)
        if (ofJob.size === 0) removals.delete(job)
      }
    },
    abort(job) {
      for (const removal of removals.get(job) ?? []) removal.abort(new Error('The job was removed.'))
    },
  }
}
