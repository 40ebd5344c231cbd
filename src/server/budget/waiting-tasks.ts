import type { TaskScheduling } from './task-scheduling.js'

export interface WaitingTask extends TaskScheduling {
  start: () => void
  reject: (error: Error) => void
}

export interface WaitingTasksOptions {
  /** Tasks that run at the same time. */
  concurrency: number
  /** Tasks of one target that run at the same time. */
  maxPerTarget: number
}

/** The tasks of a queue that wait, by client; the clients are in the order of their turns. */
export class WaitingTasks {
  readonly #byClient = new Map<string, Set<WaitingTask>>()
  readonly #options: WaitingTasksOptions
  #size = 0

  constructor(options: WaitingTasksOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  countOf(client: string): number {
    return this.#byClient.get(client)?.size ?? 0
  }

  /** Adds a task after the others of its client. */
  add(task: WaitingTask): void {
    this.#byClient.set(task.client, (this.#byClient.get(task.client) ?? new Set()).add(task))
    this.#size++
  }

  /** Does nothing for a task that no longer waits. */
  remove(task: WaitingTask): void {
    const tasks = this.#byClient.get(task.client)
    if (!tasks?.delete(task)) return
    this.#size--
    if (tasks.size === 0) this.#byClient.delete(task.client)
  }

  /** Removes a task whose turn it is; the next turn of its client comes after those of all others. */
  take(task: WaitingTask): void {
    const tasks = this.#byClient.get(task.client)!
    this.#byClient.delete(task.client)
    this.#byClient.set(task.client, tasks)
    this.remove(task)
  }

  /** The first task of each client that may start. */
  startable(mayStart: (task: TaskScheduling) => boolean): WaitingTask[] {
    return [...this.#byClient.values()].flatMap((tasks) => [...tasks].find(mayStart) ?? [])
  }

  /** Each task with the number of tasks of its client before it. */
  *positions(): Generator<[task: WaitingTask, ownBefore: number]> {
    for (const tasks of this.#byClient.values())
      for (const [ownBefore, task] of [...tasks].entries()) yield [task, ownBefore]
  }

  /**
   * The expected wait of a task with `ownBefore` tasks of its client before it, as a multiple of the average duration of a
   * task. Each other client has a turn for each of these.
   */
  waitInTasks({ client, target, hasPriority = false }: TaskScheduling, ownBefore: number): number {
    const { concurrency, maxPerTarget } = this.#options
    const before = [...this.#byClient].map(([other, tasks]) => {
      if (other === client) return ownBefore
      const [{ hasPriority: isPreferred = false } = {}] = tasks as Iterable<TaskScheduling>
      if (isPreferred !== hasPriority) return isPreferred ? tasks.size : 0
      return Math.min(tasks.size, ownBefore + 1)
    })
    const sum = before.reduce((total, count) => total + count, 0)
    const ofSameTarget = target === undefined ? 0 : this.#countOfTarget(target)
    return Math.max((sum + 1) / concurrency, Math.min(ofSameTarget, sum) / maxPerTarget)
  }

  #countOfTarget(target: string): number {
    const isOfTarget = (task: TaskScheduling) => task.target === target
    return [...this.#byClient.values()].flatMap((tasks) => [...tasks].filter(isOfTarget)).length
  }
}
