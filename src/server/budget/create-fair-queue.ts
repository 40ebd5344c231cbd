/** Runs a limited number of tasks at the same time; tasks that wait are started in turn by client. */
export interface FairQueue {
  /**
   * Runs a task at once where it may, or when it is the turn of its client.
   *
   * @param signal  Aborting it rejects a task that waits with the signal's reason; one that runs has to end itself.
   * @throws        The error of the task, or that of `fullError`.
   */
  run<Result>(owner: TaskOwner, task: () => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Tasks that run. */
  running(): number
  /** Tasks that wait. */
  waiting(): number
}

export interface TaskOwner {
  /** Whoever the task is for; clients with the fewest running tasks come first. */
  client: string
  /** What the task works on, where `maxPerTarget` limits that. */
  target?: string
  /** Whether it comes before the tasks without priority. Every fourth start is for those, where they wait. Default: false. */
  hasPriority?: boolean | undefined
  /** Whether the task may wait for about so many durations of a task. Asked before it waits, and again whenever a task ends. */
  mayWait?: (durations: number) => boolean
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
  /** The error of a task that may not wait, for about so many durations of a task. */
  fullError: (durations: number) => Error
}

interface WaitingTask extends TaskOwner {
  start: () => void
  refuse: (error: Error) => void
}

/** One of so many starts is for tasks without priority, so that they are never held up for ever. */
const STARTS_PER_TURN_WITHOUT_PRIORITY = 4

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, maxPerClient = concurrency, maxPerTarget = concurrency } = options
  const { maxWaiting, maxWaitingPerClient = maxWaiting, fullError } = options
  const ofClient = createCounts()
  const ofTarget = createCounts()
  /** In the order of their turns. */
  const waitingOf = new Map<string, Set<WaitingTask>>()
  let running = 0
  let waiting = 0
  let starts = 0

  const mayStart = ({ client, target }: TaskOwner) =>
    running < concurrency &&
    ofClient.count(client) < maxPerClient &&
    (target === undefined || ofTarget.count(target) < maxPerTarget)
  const begin = ({ client, target }: TaskOwner) => {
    running++
    starts++
    ofClient.add(client)
    if (target !== undefined) ofTarget.add(target)
  }
  const end = ({ client, target }: TaskOwner) => {
    running--
    ofClient.remove(client)
    if (target !== undefined) ofTarget.remove(target)
    while (startNext()) continue
    refuseHopeless()
  }
  const dequeue = (task: WaitingTask) => {
    const tasks = waitingOf.get(task.client)
    if (!tasks?.delete(task)) return
    waiting--
    if (tasks.size === 0) waitingOf.delete(task.client)
  }
  /** How long a task waits that has so many of its own client before it. Each other client has a turn for each of these. */
  const durationsBefore = ({ client, target, hasPriority = false }: TaskOwner, ownBefore: number) => {
    const before = [...waitingOf].map(([other, tasks]) => {
      if (other === client) return ownBefore
      const [{ hasPriority: isPreferred = false } = {}] = tasks as Iterable<TaskOwner>
      if (isPreferred !== hasPriority) return isPreferred ? tasks.size : 0
      return Math.min(tasks.size, ownBefore + 1)
    })
    const sum = before.reduce((total, count) => total + count, 0)
    const isOfTarget = (task: TaskOwner) => target !== undefined && task.target === target
    const ofSameTarget = [...waitingOf.values()].flatMap((tasks) => [...tasks].filter(isOfTarget)).length
    return Math.max((sum + 1) / concurrency, Math.min(ofSameTarget, sum) / maxPerTarget)
  }
  const enqueue = (task: WaitingTask) => {
    const tasks = waitingOf.get(task.client) ?? new Set()
    const durations = durationsBefore(task, tasks.size)
    const isFull = waiting >= maxWaiting || tasks.size >= maxWaitingPerClient
    if (isFull || task.mayWait?.(durations) === false) throw fullError(durations)
    waitingOf.set(task.client, tasks.add(task))
    waiting++
  }
  const startable = () =>
    [...waitingOf.values()]
      .flatMap((tasks) => [...tasks].find(mayStart) ?? [])
      .toSorted((one, other) => ofClient.count(one.client) - ofClient.count(other.client))
  const nextTask = () => {
    const tasks = startable()
    const isTurnWithoutPriority = starts % STARTS_PER_TURN_WITHOUT_PRIORITY === 0
    return tasks.find(({ hasPriority = false }) => hasPriority !== isTurnWithoutPriority) ?? tasks[0]
  }
  const startNext = () => {
    const task = nextTask()
    if (!task) return false
    // The next turn of its client comes after those of all others.
    const tasks = waitingOf.get(task.client)!
    waitingOf.delete(task.client)
    waitingOf.set(task.client, tasks)
    dequeue(task)
    begin(task)
    task.start()
    return true
  }
  const refuseHopeless = () => {
    for (const tasks of waitingOf.values())
      for (const [index, task] of [...tasks].entries()) {
        if (!task.mayWait) continue
        const durations = durationsBefore(task, index)
        if (task.mayWait(durations)) continue
        dequeue(task)
        task.refuse(fullError(durations))
      }
  }
  const waitForTurn = (owner: TaskOwner, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        dequeue(task)
        reject(signal.reason as Error)
      }
      const stopListening = () => signal.removeEventListener('abort', onAbort)
      const task: WaitingTask = {
        ...owner,
        start() {
          stopListening()
          resolve()
        },
        refuse(error) {
          stopListening()
          reject(error)
        },
      }
      enqueue(task)
      signal.addEventListener('abort', onAbort, { once: true })
    })

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
    waiting: () => waiting,
  }
}

function createCounts() {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.get(name) ?? 0
  return {
    count,
    add: (name: string) => void counts.set(name, count(name) + 1),
    remove(name: string) {
      if (count(name) > 1) counts.set(name, count(name) - 1)
      else counts.delete(name)
    },
  }
}
