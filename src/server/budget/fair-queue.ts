import { queueNetworks, type ClientNetwork } from './client-networks.js'
import { createCounts } from './create-counts.js'

/**
 * Runs a limited number of tasks at the same time. The next task is the waiting one whose client has the fewest running tasks.
 * A client with nothing running may also use the reserve, so it rarely waits.
 */
export interface FairQueue {
  /**
   * Runs a task at once if it may, or when it is the turn of its client. An aborted `signal` rejects a waiting task with its reason;
   * a running task has to end itself.
   *
   * @throws  The error of the task, or `fullError`.
   */
  run<Result>(options: TaskOptions, task: (slot: Slot) => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Tasks that run. */
  running(): number
  /** Tasks that wait; a task that several clients share counts once for each of them. */
  waiting(): number
}

/** Who waits for a task. */
export interface Waiter {
  /** The id of an API key, an IPv4 address, the /64 of an IPv6 address, or `BACKGROUND`. */
  client: string
  /** Whether its tasks start before those without priority. While both wait, every fourth start is for one without. Default: false. */
  hasPriority?: boolean | undefined
}

/** Everybody who waits for one shared task; the first whose turn comes starts it. */
export interface Waiters {
  /** Calls `onJoin` for each waiter so far and, until the returned function is called, for each that joins, and `onLeave` for each that leaves. */
  follow(listener: WaitersListener): () => void
}

export interface WaitersListener {
  onJoin(waiter: Waiter): void
  onLeave(waiter: Waiter): void
}

/** Who waits for a task, and what else determines when it starts. */
export interface TaskOptions extends Waiter {
  /** Who waits for it besides `client`. Default: nobody. */
  waiters?: Waiters | undefined
  /** The host of the page that the task is for, for `maxPerHost`. */
  host?: string
  /** Whether the task may wait as long as this many average tasks take; called before it waits, and whenever another task ends. */
  mayWait?: (waitInTasks: number) => boolean
}

/** The place of a running task. */
export interface Slot {
  /**
   * Whether another client with fewer running tasks waits, and with priority if this task has it, or somebody who waits for it;
   * background work never counts.
   */
  isContended(): boolean
}

export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  /** Tasks of one client that run at the same time. Default: no limit. */
  maxPerClient?: number
  /** Tasks that run in addition, each of a client with nothing running. Default: 0. */
  reserve?: number
  /** The share of one host: tasks beyond it start while no task of another host may. Default: no limit. */
  maxPerHost?: number
  /** Tasks that may wait; one that several clients share is one. */
  maxWaiting: number
  /** Tasks of one client that may wait. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The error of a task that may not wait as long as this many average tasks take. */
  fullError: (waitInTasks: number) => Error
}

/** The client of work that no caller waits for. It starts while no task of another client may, and never uses the reserve. */
export const BACKGROUND = 'background'

/** One of this many starts is for a task without priority, so that these never wait indefinitely. */
const STARTS_PER_TURN_WITHOUT_PRIORITY = 4

/** A task on behalf of one waiter. */
interface Task extends Pick<TaskOptions, 'host' | 'hasPriority' | 'mayWait'> {
  /** The network that takes turns as one client. */
  queueClient: string
  /** The running task is counted in each; the first is `queueClient`. */
  networks: readonly ClientNetwork[]
}

/** Many who wait for one task start it no earlier than some of them; each takes a turn of the queue. */
const MAX_WAITS_PER_TASK = 20

/** One wait of a task in the queue; a shared task has one for each of its waiters. */
interface Wait extends Task {
  /** All waits of the same task, by the name of their waiter. */
  ofTask: ReadonlyMap<string, Wait>
  /** Called once the task is counted as running. */
  start: () => void
  reject: (error: Error) => void
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, maxWaiting, maxWaitingPerClient = maxWaiting, fullError } = options
  const running = createRunningTasks(options)
  const waiting = createWaits(concurrency)
  let starts = 0

  function nextWait(): Wait | undefined {
    const waits = waiting.first(running.mayAdd)
    const withinShare = waiting.first((wait) => running.isWithinShare(wait) && running.mayAdd(wait))
    const first = [withinShare.filter(isOfCaller), waits.filter(isOfCaller), withinShare, waits].find(
      ({ length }) => length > 0,
    )
    const byLoad = (first ?? []).toSorted((one, other) => running.loadOf(one) - running.loadOf(other))
    const isTurnWithoutPriority = starts % STARTS_PER_TURN_WITHOUT_PRIORITY === 0
    return byLoad.find(({ hasPriority = false }) => hasPriority !== isTurnWithoutPriority) ?? byLoad[0]
  }

  function begin(task: Task): void {
    starts++
    running.add(task)
  }

  function end(task: Task): void {
    running.remove(task)
    for (let wait = nextWait(); wait; wait = nextWait()) {
      waiting.take(wait)
      begin(wait)
      wait.start()
    }
    rejectLateWaits()
  }

  /** Rejects the waits whose turn would come after their time is up. */
  function rejectLateWaits(): void {
    for (const [wait, earlierWaits] of waiting.positions()) {
      if (!wait.mayWait) continue
      const waitInTasks = waiting.waitInTasks(wait, earlierWaits)
      if (wait.mayWait(waitInTasks)) continue
      waiting.remove(wait)
      wait.reject(fullError(waitInTasks))
    }
  }

  /** @returns  The error of a task that may not wait. */
  function enqueue(wait: Wait): Error | undefined {
    const earlierWaits = waiting.countOf(wait.queueClient)
    const waitInTasks = waiting.waitInTasks(wait, earlierWaits)
    const isFull = (wait.ofTask.size === 0 && waiting.countTasks() >= maxWaiting) || earlierWaits >= maxWaitingPerClient
    if (isFull || wait.mayWait?.(waitInTasks) === false) return fullError(waitInTasks)
    waiting.add(wait)
    return undefined
  }

  /**
   * Waits once for each waiter of a task, until the first of these waits ends with its start. Resolves with the task on behalf of that
   * waiter, which counts as running; rejects when no wait is left.
   */
  function waitForStart({ waiters, ...task }: TaskOptions, signal: AbortSignal): Promise<Task> {
    return new Promise((resolve, reject) => {
      const waits = new Map<string, Wait>()
      let firstError: Error | undefined
      let isOver = false
      let unfollow = () => {}
      const stop = () => {
        isOver = true
        unfollow()
        signal.removeEventListener('abort', onAbort)
        for (const wait of waits.values()) waiting.remove(wait)
      }
      const startAs = (started: Task) => {
        stop()
        resolve(started)
      }
      const fail = (error: unknown) => {
        stop()
        reject(error)
      }
      const onAbort = () => fail(signal.reason)
      const onJoin = ({ client, hasPriority = false }: Waiter) => {
        const name = waiterName({ client, hasPriority })
        if (isOver || waits.has(name) || (waits.size >= MAX_WAITS_PER_TASK && !hasPriority)) return
        const wait: Wait = {
          ...taskFor({ ...task, client, hasPriority }),
          ofTask: waits,
          start: () => startAs(wait),
          reject(error) {
            waits.delete(name)
            if (waits.size === 0) fail(error)
          },
        }
        if (running.mayAdd(wait)) {
          begin(wait)
          wait.start()
          return
        }
        const error = enqueue(wait)
        if (error) firstError ??= error
        else waits.set(name, wait)
      }
      const onLeave = (waiter: Waiter) => {
        const wait = waits.get(waiterName(waiter))
        // Others still wait for the task, perhaps some whose own waits were rejected.
        if (!wait || waits.size === 1) return
        waits.delete(waiterName(waiter))
        waiting.remove(wait)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      onJoin(task)
      if (waiters && !isOver) unfollow = waiters.follow({ onJoin, onLeave })
      if (isOver) unfollow()
      else if (waits.size === 0) fail(firstError)
    })
  }

  /** Who has joined the task since its start counts too. */
  const slotOf = (task: Task, waiters: Waiters | undefined): Slot => ({
    isContended() {
      const hasPriority = task.hasPriority === true || waitersOf(waiters).some((waiter) => waiter.hasPriority)
      return waiting
        .first((other) => !hasPriority || other.hasPriority === true)
        .some((other) => isOfCaller(other) && running.loadOf(other) < running.loadOf(task))
    },
  })

  return {
    async run(taskOptions, work, signal) {
      signal.throwIfAborted()
      let task = taskFor(taskOptions)
      if (running.mayAdd(task)) begin(task)
      else task = await waitForStart(taskOptions, signal)
      try {
        signal.throwIfAborted()
        return await work(slotOf(task, taskOptions.waiters))
      } finally {
        end(task)
      }
    },
    running: running.size,
    waiting: waiting.size,
  }
}

/** All who wait for a task right now. */
export function waitersOf(waiters: Waiters | undefined): Waiter[] {
  const all: Waiter[] = []
  waiters?.follow({ onJoin: (waiter) => all.push(waiter), onLeave: () => undefined })()
  return all
}

/** Waiters with the same name take the same turns. */
export const waiterName = ({ client, hasPriority = false }: Waiter): string => `${client} ${hasPriority}`

function taskFor({ client, host, hasPriority, mayWait }: TaskOptions): Task {
  const networks = queueNetworks(client)
  return { queueClient: networks[0].name, networks, host, hasPriority, mayWait }
}

const isOfCaller = ({ queueClient }: Pick<Task, 'queueClient'>): boolean => queueClient !== BACKGROUND

/** Counts the tasks that run, of each network and of each host, and decides whether another one may start. */
function createRunningTasks(options: FairQueueOptions) {
  const { concurrency, maxPerClient = Infinity, reserve = 0, maxPerHost = Infinity } = options
  const ofNetwork = createCounts()
  const ofHost = createCounts()
  let size = 0

  /** Running tasks of the client, or its part of the tasks of a wider network if that is more. */
  const loadOf = ({ networks }: Task) =>
    Math.max(...networks.map(({ name, limitFactor }) => ofNetwork.count(name) / limitFactor))

  const isWithinShare = ({ host }: Task) => host === undefined || ofHost.count(host) < maxPerHost

  const mayUseReserve = (task: Task) => isOfCaller(task) && loadOf(task) === 0

  return {
    size: () => size,
    loadOf,
    isWithinShare,
    mayAdd: (task: Task) =>
      size < concurrency ? loadOf(task) < maxPerClient : size < concurrency + reserve && mayUseReserve(task),
    add({ networks, host }: Task) {
      size++
      for (const { name } of networks) ofNetwork.add(name)
      if (host !== undefined) ofHost.add(host)
    },
    remove({ networks, host }: Task) {
      size--
      for (const { name } of networks) ofNetwork.remove(name)
      if (host !== undefined) ofHost.remove(host)
    },
  }
}

/** The waits of tasks, by client; the clients are in the order of their turns. */
function createWaits(concurrency: number) {
  const byClient = new Map<string, Set<Wait>>()
  const ofTasks = new Map<Wait['ofTask'], number>()

  function count(wait: Wait, change: 1 | -1): void {
    const waits = (ofTasks.get(wait.ofTask) ?? 0) + change
    if (waits > 0) ofTasks.set(wait.ofTask, waits)
    else ofTasks.delete(wait.ofTask)
  }

  /** Does nothing for a wait that is over. */
  function remove(wait: Wait): void {
    const waits = byClient.get(wait.queueClient)
    if (!waits?.delete(wait)) return
    count(wait, -1)
    if (waits.size === 0) byClient.delete(wait.queueClient)
  }

  return {
    size: () => [...ofTasks.values()].reduce((total, waits) => total + waits, 0),
    countTasks: () => ofTasks.size,
    countOf: (queueClient: string) => byClient.get(queueClient)?.size ?? 0,
    /** Adds a wait after the others of its client. */
    add(wait: Wait) {
      byClient.set(wait.queueClient, (byClient.get(wait.queueClient) ?? new Set()).add(wait))
      count(wait, 1)
    },
    remove,
    /** Removes a wait whose turn it is; the next turn of its client comes after all others. */
    take(wait: Wait) {
      const waits = byClient.get(wait.queueClient)!
      byClient.delete(wait.queueClient)
      byClient.set(wait.queueClient, waits)
      remove(wait)
    },
    /** The first wait of each client for which the condition is true. */
    first(condition: (wait: Wait) => boolean): Wait[] {
      const found: Wait[] = []
      for (const waits of byClient.values())
        for (const wait of waits)
          if (condition(wait)) {
            found.push(wait)
            break
          }
      return found
    },
    /** Each wait with the number of waits of its client before it; a wait may be removed meanwhile. */
    *positions(): Generator<[wait: Wait, earlierWaits: number]> {
      for (const waits of byClient.values()) {
        let earlierWaits = 0
        for (const wait of waits) yield [wait, earlierWaits++]
      }
    },
    /**
     * How long a task with `earlierWaits` waits of its client before it is expected to wait, as a multiple of the average duration of a
     * task. Before each of these, and before the task itself, every other client has a turn.
     */
    waitInTasks({ queueClient, hasPriority = false }: Task, earlierWaits: number): number {
      const before = [...byClient].map(([other, waits]) => {
        if (other === queueClient) return earlierWaits
        if (other === BACKGROUND) return 0
        if (queueClient === BACKGROUND) return waits.size
        const [first] = waits
        const isPreferred = first?.hasPriority ?? false
        if (isPreferred !== hasPriority) return isPreferred ? waits.size : 0
        return Math.min(waits.size, earlierWaits + 1)
      })
      const waits = before.reduce((total, count) => total + count, 0)
      // Several waits may be for the same task.
      return (Math.min(waits, ofTasks.size) + 1) / concurrency
    },
  }
}
