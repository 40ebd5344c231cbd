/** Runs a limited number of tasks at the same time; tasks that wait are started in turn by client. */
export interface FairQueue {
  /**
   * Runs a task at once where it may, or when it is the turn of its client.
   *
   * @param client  Whoever the task is for; clients with the fewest running tasks come first.
   * @param signal  Aborting it rejects a task that waits with the signal's reason; one that runs has to end itself.
   * @throws        The error of the task, or that of `fullError`.
   */
  run<Result>(client: string, task: () => Promise<Result>, signal: AbortSignal): Promise<Result>
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
  /** Tasks that may wait. */
  maxWaiting: number
  /** Of one client. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The error of a task that may not wait. */
  fullError: () => Error
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { concurrency, maxPerClient = concurrency, maxWaiting, maxWaitingPerClient = maxWaiting, fullError } = options
  const runningOf = new Map<string, number>()
  /** In the order of their turns; each has the functions that start its tasks. */
  const waitingOf = new Map<string, Set<() => void>>()
  let running = 0
  let waiting = 0

  const countOf = (client: string) => runningOf.get(client) ?? 0
  const mayStart = (client: string) => running < concurrency && countOf(client) < maxPerClient
  const begin = (client: string) => {
    running++
    runningOf.set(client, countOf(client) + 1)
  }
  const dequeue = (client: string, start: () => void) => {
    const starts = waitingOf.get(client)
    if (!starts?.delete(start)) return
    waiting--
    if (starts.size === 0) waitingOf.delete(client)
  }
  const enqueue = (client: string, start: () => void) => {
    const starts = waitingOf.get(client) ?? new Set()
    if (waiting >= maxWaiting || starts.size >= maxWaitingPerClient) throw fullError()
    waitingOf.set(client, starts.add(start))
    waiting++
  }
  const startNext = () => {
    const startable = [...waitingOf.keys()].filter(mayStart)
    const client = startable.toSorted((one, other) => countOf(one) - countOf(other))[0]
    if (client === undefined) return
    const starts = waitingOf.get(client)!
    const [start] = starts
    // Its next turn comes after those of all others.
    waitingOf.delete(client)
    waitingOf.set(client, starts)
    dequeue(client, start!)
    begin(client)
    start!()
  }
  const end = (client: string) => {
    running--
    if (countOf(client) > 1) runningOf.set(client, countOf(client) - 1)
    else runningOf.delete(client)
    startNext()
  }
  const waitForTurn = (client: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        dequeue(client, start)
        reject(signal.reason as Error)
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      enqueue(client, start)
      signal.addEventListener('abort', leave, { once: true })
    })

  return {
    async run(client, task, signal) {
      signal.throwIfAborted()
      if (mayStart(client)) begin(client)
      else await waitForTurn(client, signal)
      try {
        signal.throwIfAborted()
        return await task()
      } finally {
        end(client)
      }
    },
    running: () => running,
    waiting: () => waiting,
  }
}
