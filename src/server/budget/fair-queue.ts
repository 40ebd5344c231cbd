import { queueNetworks, type ClientNetwork } from './client-networks.js'
import { createCounts } from './create-counts.js'

/**
 * Runs a limited number of tasks at the same time. Of those that wait, the task whose client has the fewest running tasks is next.
 * A client with nothing running may also use the reserve, so it rarely waits.
 */
export interface FairQueue {
  /**
   * Runs a task at once if it may, or when it is the turn of its client. An aborted `signal` rejects a waiting task with its reason;
   * a running task has to end itself.
   *
   * @throws  The error of the task, or `fullError`.
   */
  run<Result>(scheduling: TaskScheduling, task: (slot: Slot) => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Tasks that run. */
  running(): number
  /** Tasks that wait. */
  waiting(): number
}

/** Whose turn it is. */
export interface Turn {
  /** The id of an API key, an IPv4 address, the /64 of an IPv6 address, or `BACKGROUND`. */
  client: string
  /** Whether it comes before tasks without priority, which have every fourth start while they wait. Default: false. */
  hasPriority?: boolean | undefined
}

/** The turns of all callers that share one task; the first that comes starts it. */
export interface Turns {
  /** Calls `onTurn` for each caller so far, and for each that joins until the returned function is called. */
  follow(onTurn: (turn: Turn) => void): () => void
}

/** The turn of a task, and what else determines when it starts. */
export interface TaskScheduling extends Turn {
  /** Default: only the turn of `client`. */
  turns?: Turns | undefined
  /** What the task works on, for `maxPerTarget`. */
  target?: string
  /** Whether the task may wait as long as this many average tasks take; called before it waits, and whenever another task ends. */
  mayWait?: (waitInTasks: number) => boolean
}

/** The place of a running task. */
export interface Slot {
  /** Whether another client with fewer running tasks waits, and with priority if this task has it; background work never counts. */
  isContended(): boolean
}

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  /** Tasks of one client that run at the same time. Default: no limit. */
  maxPerClient?: number
  /** Tasks that run in addition, each of a client with nothing running, and of a target within its share. Default: 0. */
  reserve?: number
  /** The share of one target: tasks beyond it start while nothing else waits, and never in the reserve. Default: no limit. */
  maxPerTarget?: number
  /** Tasks that may wait. */
  maxWaiting: number
  /** Tasks of one client that may wait. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The error of a task that may not wait as long as this many average tasks take. */
  fullError: (waitInTasks: number) => Error
}

/** The client of work that no caller waits for. It takes turns as one client, and never uses the reserve. */
export const BACKGROUND = 'background'

/** One of this many starts is for a task without priority, so that these never wait indefinitely. */
const STARTS_PER_TURN_WITHOUT_PRIORITY = 4

interface Task extends Pick<TaskScheduling, 'target' | 'hasPriority' | 'mayWait'> {
  /** The network that takes turns as one client. */
  owner: string
  /** Its running tasks are counted in each; the first is `owner`. */
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

  /** Running tasks of the client, or its part of the tasks of a wider network if that is more. */
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
    /** Removes a task whose turn it is; the next turn of its owner comes after all others. */
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
