import { createCounts } from './create-counts.js'
import type { TaskScheduling } from './task-scheduling.js'

export interface RunningTasksOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  maxPerClient: number
  maxPerTarget: number
}

/** Counts the tasks that run, in all, of each client and of each target. */
export function createRunningTasks({ concurrency, maxPerClient, maxPerTarget }: RunningTasksOptions) {
  const ofClient = createCounts()
  const ofTarget = createCounts()
  let running = 0
  return {
    count: () => running,
    countOf: (client: string) => ofClient.count(client),
    /** Whether the limits allow this task too. */
    mayAdd: ({ client, target }: TaskScheduling) =>
      running < concurrency &&
      ofClient.count(client) < maxPerClient &&
      (target === undefined || ofTarget.count(target) < maxPerTarget),
    add({ client, target }: TaskScheduling) {
      running++
      ofClient.add(client)
      if (target !== undefined) ofTarget.add(target)
    },
    remove({ client, target }: TaskScheduling) {
      running--
      ofClient.remove(client)
      if (target !== undefined) ofTarget.remove(target)
    },
  }
}
