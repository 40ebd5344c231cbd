import { queueNetworks, type ClientNetwork } from './client-networks.js'
import { createCounts } from './create-counts.js'

/**
 * Runs a limited number of tasks at the same time. A client with nothing running gets a slot at once while the reserve has
 * one; all others wait, and the clients with the fewest running tasks are next.
 */
export interface FairQueue {
  /**
   * Runs a task at once if it may, or when it is the turn of its client.
   *
   * @param signal  Aborting it rejects a waiting task with the signal's reason; a running task has to end itself.
   * @throws        The error of the task, or that of `fullError`.
   */
  run<Result>(scheduling: TaskScheduling, task: (slot: Slot) => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Tasks that run. */
  running(): number
  /** Tasks that wait. */
  waiting(): number
}

/** The client of a task, and what determines when the task starts. */
export interface TaskScheduling extends Turn {
  /** What the task works on, if `maxPerTarget` is the share of that. */
  target?: string
  /** The turns of all callers that wait for the task: the first that comes starts it. Default: only that of `client`. */
  turns?: Turns | undefined
  /**
   * Whether the task may wait. Called before it waits, and whenever another task ends.
   *
   * @param waitInTasks  The expected wait, as a multiple of the average duration of a task.
   */
  mayWait?: (waitInTasks: number) => boolean
}

/** Whose turn it is. */
export interface Turn {
  /** An IPv4 address, the /64 of an IPv6 address, an API key, or `BACKGROUND`. */
  client: string
  /** Whether it comes before tasks without priority, which have every fourth start while they wait. Default: false. */
  hasPriority?: boolean | undefined
}

/** The turns of the callers that share one task, so that none waits as long as the one that has started it. */
export interface Turns {
  /** Calls `onTurn` for each caller so far, and for each that joins until the returned function is called. */
  follow(onTurn: (turn: Turn) => void): () => void
}

/** What a running task knows of the queue. */
export interface Slot {
  /** Whether another client with fewer running tasks waits. Tasks without priority do not count if this one has it; work in the background never does. */
  isContended(): boolean
}

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  /** Tasks of one client that run at the same time. Default: no limit, so that one client may have all. */
  maxPerClient?: number
  /** Tasks that run in addition, each of a client with nothing running, and of a target within its share. Default: 0. */
  reserve?: number
  /** The share of one target: tasks beyond it start while nothing else waits, and never in the reserve. Default: no limit. */
  maxPerTarget?: number
  /** Tasks that may wait. */
  maxWaiting: number
  /** Tasks of one client that may wait. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The error of a task that may not wait. @param waitInTasks  Its expected wait, as a multiple of the average duration of a task. */
  fullError: (waitInTasks: number) => Error
}

/** The client of work that no caller waits for. It takes turns as one client, and never uses the reserve. */
export const BACKGROUND = 'background'

/** One of this many starts is for a task without priority, so that these never wait indefinitely. */
const STARTS_PER_TURN_WITHOUT_PRIORITY = 4

interface Task extends Pick<TaskScheduling, 'target' | 'hasPriority' | 'mayWait'> {
  /** The network that takes turns as one client. */
  owner: string
  /** In which its running tasks are counted; the first one is that of `owner`. */
  networks: readonly ClientNetwork[]
}

interface WaitingTask extends Task {
  start: () => void
  reject: (error: Error) => void
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, maxPerClient = Infinity, reserve = 0, maxPerTarget = Infinity } = options
  const { maxWaiting, maxWaitingPerClient = maxWaiting, fullError } = options
  const runningOfNetwork = createCounts()
  const runningOfTarget = createCounts()
  const waiting = createWaitingTasks(concurrency)
  let running = 0
  let starts = 0

  /** Running tasks of the client, or its part of those of a wider network if that is more. */
  const loadOf = ({ networks }: Task) =>
    Math.max(...networks.map(({ name, limitFactor }) => runningOfNetwork.count(name) / limitFactor))

  const isWithinShare = ({ target }: Task) => target === undefined || runningOfTarget.count(target) < maxPerTarget

  const mayUseReserve = (task: Task) => task.owner !== BACKGROUND && loadOf(task) === 0 && isWithinShare(task)

  const mayStart = (task: Task) =>
    running < concurrency ? loadOf(task) < maxPerClient : running < concurrency + reserve && mayUseReserve(task)

  function nextTask(): WaitingTask | undefined {
    const tasks = waiting.first(mayStart)
    const withinShare = waiting.first((task) => isWithinShare(task) && mayStart(task))
    const byLoad = (withinShare.length ? withinShare : tasks).toSorted((one, other) => loadOf(one) - loadOf(other))
    const isTurnWithoutPriority = starts % STARTS_PER_TURN_WITHOUT_PRIORITY === 0
    return byLoad.find(({ hasPriority = false }) => hasPriority !== isTurnWithoutPriority) ?? byLoad[0]
  }

  function begin({ networks, target }: Task): void {
    starts++
    running++
    for (const { name } of networks) runningOfNetwork.add(name)
    if (target !== undefined) runningOfTarget.add(target)
  }

  function end({ networks, target }: Task): void {
    running--
    for (const { name } of networks) runningOfNetwork.remove(name)
    if (target !== undefined) runningOfTarget.remove(target)
    for (let task = nextTask(); task; task = nextTask()) {
      waiting.take(task)
      begin(task)
      task.start()
    }
    rejectLateTasks()
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
    const ownBefore = waiting.countOf(task.owner)
    const waitInTasks = waiting.waitInTasks(task, ownBefore)
    const isFull = waiting.size() >= maxWaiting || ownBefore >= maxWaitingPerClient
    if (isFull || task.mayWait?.(waitInTasks) === false) throw fullError(waitInTasks)
    waiting.add(task)
  }

  function taskOf({ client, ...scheduling }: Omit<TaskScheduling, 'turns'>): Task {
    const networks = queueNetworks(client)
    return { ...scheduling, networks, owner: networks[0].name }
  }

  /**
   * Resolves with the task of the first turn, which has begun; rejects with the reason of the signal, or with the error of the
   * queue once no turn is left.
   */
  function waitForTurn({ turns, ...scheduling }: TaskScheduling, signal: AbortSignal): Promise<Task> {
    return new Promise((resolve, reject) => {
      const tasks = new Map<string, WaitingTask>()
      let rejection: unknown
      let hasEnded = false
      let unfollow = () => {}
      const stopWaiting = () => {
        hasEnded = true
        unfollow()
        signal.removeEventListener('abort', onAbort)
        for (const task of tasks.values()) waiting.remove(task)
      }
      const fail = (error: unknown) => {
        stopWaiting()
        reject(error)
      }
      const onAbort = () => fail(signal.reason)
      const startAs = (task: Task) => {
        stopWaiting()
        resolve(task)
      }
      const addTurn = ({ client, hasPriority = false }: Turn) => {
        const name = `${client} ${hasPriority}`
        if (hasEnded || tasks.has(name)) return
        const task = taskOf({ ...scheduling, client, hasPriority })
        if (mayStart(task)) {
          begin(task)
          startAs(task)
          return
        }
        const waitingTask: WaitingTask = {
          ...task,
          start: () => startAs(task),
          reject(error) {
            tasks.delete(name)
            if (tasks.size === 0) fail(error)
          },
        }
        tasks.set(name, waitingTask)
        try {
          enqueue(waitingTask)
        } catch (error) {
          tasks.delete(name)
          rejection ??= error
        }
      }
      signal.addEventListener('abort', onAbort, { once: true })
      addTurn(scheduling)
      if (turns && !hasEnded) unfollow = turns.follow(addTurn)
      if (hasEnded) unfollow()
      else if (tasks.size === 0) fail(rejection)
    })
  }

  const slotOf = (task: Task): Slot => ({
    isContended: () =>
      waiting
        .first((other) => !task.hasPriority || other.hasPriority === true)
        .some((other) => other.owner !== BACKGROUND && loadOf(other) < loadOf(task)),
  })

  return {
    async run(scheduling, work, signal) {
      signal.throwIfAborted()
      const { turns: _, ...own } = scheduling
      let task = taskOf(own)
      if (mayStart(task)) begin(task)
      else task = await waitForTurn(scheduling, signal)
      try {
        signal.throwIfAborted()
        return await work(slotOf(task))
      } finally {
        end(task)
      }
    },
    running: () => running,
    waiting: waiting.size,
  }
}

/** The tasks that wait, by owner; the owners are in the order of their turns. */
function createWaitingTasks(concurrency: number) {
  const byOwner = new Map<string, Set<WaitingTask>>()
  let size = 0

  /** Does nothing for a task that no longer waits. */
  function remove(task: WaitingTask): void {
    const tasks = byOwner.get(task.owner)
    if (!tasks?.delete(task)) return
    size--
    if (tasks.size === 0) byOwner.delete(task.owner)
  }

  return {
    size: () => size,
    countOf: (owner: string) => byOwner.get(owner)?.size ?? 0,
    /** Adds a task after the others of its owner. */
    add(task: WaitingTask) {
      byOwner.set(task.owner, (byOwner.get(task.owner) ?? new Set()).add(task))
      size++
    },
    remove,
    /** Removes a task whose turn it is; the next turn of its owner comes after those of all others. */
    take(task: WaitingTask) {
      const tasks = byOwner.get(task.owner)!
      byOwner.delete(task.owner)
      byOwner.set(task.owner, tasks)
      remove(task)
    },
    /** The first task of each owner for which the condition is true. */
    first(condition: (task: WaitingTask) => boolean): WaitingTask[] {
      const found: WaitingTask[] = []
      for (const tasks of byOwner.values())
        for (const task of tasks)
          if (condition(task)) {
            found.push(task)
            break
          }
      return found
    },
    /** Each task with the number of tasks of its owner before it; a task may be removed meanwhile. */
    *positions(): Generator<[task: WaitingTask, ownBefore: number]> {
      for (const tasks of byOwner.values()) {
        let ownBefore = 0
        for (const task of tasks) yield [task, ownBefore++]
      }
    },
    /**
     * The expected wait of a task with `ownBefore` tasks of its owner before it, as a multiple of the average duration of a
     * task. Each other owner has a turn for each of these.
     */
    waitInTasks({ owner, hasPriority = false }: Task, ownBefore: number): number {
      const before = [...byOwner].map(([other, tasks]) => {
        if (other === owner) return ownBefore
        const [{ hasPriority: isPreferred = false } = {}] = tasks as Iterable<Task>
        if (isPreferred !== hasPriority) return isPreferred ? tasks.size : 0
        return Math.min(tasks.size, ownBefore + 1)
      })
      return (before.reduce((total, count) => total + count, 0) + 1) / concurrency
    },
  }
}
