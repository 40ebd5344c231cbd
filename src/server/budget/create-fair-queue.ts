import { createCounts } from './create-counts.js'
import type { TaskOwner } from './task-owner.js'
import { WaitingTasks, type WaitingTask } from './waiting-tasks.js'

/** Runs a limited number of tasks at the same time; tasks that wait are started in turn by client. */
export interface FairQueue {
  /**
   * Runs a task at once where it may, or when it is the turn of its client.
   *
   * @param signal  Aborting it rejects a waiting task with the signal's reason; a running task has to end itself.
   * @throws        The error of the task, or that of `fullError`.
   */
  run<Result>(owner: TaskOwner, task: () => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Tasks that run. */
  running(): number
  /** Tasks that wait. */
  waiting(): number
}

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  /** Of one client; less than `concurrency` reserves the rest for others. Default: `concurrency`. */
  maxPerClient?: number
  /** Of one target. Default: `concurrency`. */
  maxPerTarget?: number
  /** Tasks that may wait. */
  maxWaiting: number
  /** Of one client. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The error of a task that may not wait. @param durations  Its estimated wait, in durations of a task. */
  fullError: (durations: number) => Error
}

/** One of this many starts is for a task without priority, so that these never wait indefinitely. */
const STARTS_PER_TURN_WITHOUT_PRIORITY = 4

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, maxPerClient = concurrency, maxPerTarget = concurrency } = options
  const { maxWaiting, maxWaitingPerClient = maxWaiting, fullError } = options
  const ofClient = createCounts()
  const ofTarget = createCounts()
  const waiting = new WaitingTasks({ concurrency, maxPerTarget })
  let running = 0
  let starts = 0

  const mayStart = ({ client, target }: TaskOwner) =>
    running < concurrency &&
    ofClient.count(client) < maxPerClient &&
    (target === undefined || ofTarget.count(target) < maxPerTarget)

  function begin({ client, target }: TaskOwner): void {
    running++
    starts++
    ofClient.add(client)
    if (target !== undefined) ofTarget.add(target)
  }

  function end({ client, target }: TaskOwner): void {
    running--
    ofClient.remove(client)
    if (target !== undefined) ofTarget.remove(target)
    while (startNext()) continue
    rejectLateTasks()
  }

  function startNext(): boolean {
    const task = nextTask()
    if (!task) return false
    waiting.take(task)
    begin(task)
    task.start()
    return true
  }

  function nextTask(): WaitingTask | undefined {
    const tasks = waiting
      .startable(mayStart)
      .toSorted((one, other) => ofClient.count(one.client) - ofClient.count(other.client))
    const isTurnWithoutPriority = starts % STARTS_PER_TURN_WITHOUT_PRIORITY === 0
    return tasks.find(({ hasPriority = false }) => hasPriority !== isTurnWithoutPriority) ?? tasks[0]
  }

  /** Rejects tasks whose turn would come after their time is up. */
  function rejectLateTasks(): void {
    for (const [task, ownBefore] of waiting.positions()) {
      if (!task.mayWait) continue
      const durations = waiting.durationsBefore(task, ownBefore)
      if (task.mayWait(durations)) continue
      waiting.remove(task)
      task.reject(fullError(durations))
    }
  }

  function enqueue(task: WaitingTask): void {
    const ownBefore = waiting.countOf(task.client)
    const durations = waiting.durationsBefore(task, ownBefore)
    const isFull = waiting.size >= maxWaiting || ownBefore >= maxWaitingPerClient
    if (isFull || task.mayWait?.(durations) === false) throw fullError(durations)
    waiting.add(task)
  }

  function waitForTurn(owner: TaskOwner, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.remove(task)
        reject(signal.reason as Error)
      }
      const stopListening = () => signal.removeEventListener('abort', onAbort)
      const task: WaitingTask = {
        ...owner,
        start() {
          stopListening()
          resolve()
        },
        reject(error) {
          stopListening()
          reject(error)
        },
      }
      enqueue(task)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    async run(owner, task, signal) {
      signal.throwIfAborted()
      if (mayStart(owner)) begin(owner)
      else await waitForTurn(owner, signal)
      try {
        signal.throwIfAborted()
        return await task()
      } finally {
        end(owner)
      }
    },
    running: () => running,
    waiting: () => waiting.size,
  }
}
