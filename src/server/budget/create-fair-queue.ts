import { createRunningTasks } from './running-tasks.js'
import type { TaskScheduling } from './task-scheduling.js'
import { WaitingTasks, type WaitingTask } from './waiting-tasks.js'

/** Runs a limited number of tasks at the same time; tasks that wait are started in turn by client. */
export interface FairQueue {
  /**
   * Runs a task at once where it may, or when it is the turn of its client.
   *
   * @param signal  Aborting it rejects a waiting task with the signal's reason; a running task has to end itself.
   * @throws        The error of the task, or that of `fullError`.
   */
  run<Result>(scheduling: TaskScheduling, task: () => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Tasks that run. */
  running(): number
  /** Tasks that wait. */
  waiting(): number
}

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  /** Tasks of one client that run at the same time; fewer than `concurrency` leave the rest to others. Default: `concurrency`. */
  maxPerClient?: number
  /** Tasks of one target that run at the same time. Default: `concurrency`. */
  maxPerTarget?: number
  /** Tasks that may wait. */
  maxWaiting: number
  /** Tasks of one client that may wait. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The error of a task that may not wait. @param waitInTasks  Its expected wait, as a multiple of the average duration of a task. */
  fullError: (waitInTasks: number) => Error
}

/** One of this many starts is for a task without priority, so that these never wait indefinitely. */
const STARTS_PER_TURN_WITHOUT_PRIORITY = 4

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, maxPerClient = concurrency, maxPerTarget = concurrency } = options
  const { maxWaiting, maxWaitingPerClient = maxWaiting, fullError } = options
  const running = createRunningTasks({ concurrency, maxPerClient, maxPerTarget })
  const waiting = new WaitingTasks({ concurrency, maxPerTarget })
  let starts = 0

  function begin(scheduling: TaskScheduling): void {
    starts++
    running.add(scheduling)
  }

  function end(scheduling: TaskScheduling): void {
    running.remove(scheduling)
    for (let task = nextTask(); task; task = nextTask()) {
      waiting.take(task)
      begin(task)
      task.start()
    }
    rejectLateTasks()
  }

  function nextTask(): WaitingTask | undefined {
    const tasks = waiting
      .startable(running.mayAdd)
      .toSorted((one, other) => running.countOf(one.client) - running.countOf(other.client))
    const isTurnWithoutPriority = starts % STARTS_PER_TURN_WITHOUT_PRIORITY === 0
    return tasks.find(({ hasPriority = false }) => hasPriority !== isTurnWithoutPriority) ?? tasks[0]
  }

  /** Rejects tasks whose turn would come after their time is up. */
  function rejectLateTasks(): void {
    for (const [task, ownBefore] of waiting.positions()) {
      if (!task.mayWait) continue
      const waitInTasks = waiting.waitInTasks(task, ownBefore)
      if (task.mayWait(waitInTasks)) continue
      waiting.remove(task)
      task.reject(fullError(waitInTasks))
    }
  }

  function enqueue(task: WaitingTask): void {
    const ownBefore = waiting.countOf(task.client)
    const waitInTasks = waiting.waitInTasks(task, ownBefore)
    const isFull = waiting.size >= maxWaiting || ownBefore >= maxWaitingPerClient
    if (isFull || task.mayWait?.(waitInTasks) === false) throw fullError(waitInTasks)
    waiting.add(task)
  }

  return {
    async run(scheduling, task, signal) {
      signal.throwIfAborted()
      if (running.mayAdd(scheduling)) begin(scheduling)
      else await waitForTurn(scheduling, signal, { enqueue, remove: (waitingTask) => waiting.remove(waitingTask) })
      try {
        signal.throwIfAborted()
        return await task()
      } finally {
        end(scheduling)
      }
    },
    running: running.count,
    waiting: () => waiting.size,
  }
}

interface WaitingQueue {
  /** @throws when the task may not wait. */
  enqueue: (task: WaitingTask) => void
  remove: (task: WaitingTask) => void
}

/** Resolves when the task may start; rejects with the reason of the signal, or with the error of the queue. */
function waitForTurn(
  scheduling: TaskScheduling,
  signal: AbortSignal,
  { enqueue, remove }: WaitingQueue,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      remove(task)
      reject(signal.reason as Error)
    }
    const stopListening = () => signal.removeEventListener('abort', onAbort)
    const task: WaitingTask = {
      ...scheduling,
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
