import { createCounts } from './create-counts.js'
import type { TaskOwner } from './task-owner.js'

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
    /** Whether the limits allow one more task of this owner. */
    mayAdd: ({ client, target }: TaskOwner) =>
      running < concurrency &&
      ofClient.count(client) < maxPerClient &&
      (target === undefined || ofTarget.count(target) < maxPerTarget),
    add({ client, target }: TaskOwner) {
      running++
      ofClient.add(client)
      if (target !== undefined) ofTarget.add(target)
    },
    remove({ client, target }: TaskOwner) {
      running--
      ofClient.remove(client)
      if (target !== undefined) ofTarget.remove(target)
    },
  }
}
