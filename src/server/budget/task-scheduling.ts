/** The client of a task, and what determines when the task starts. */
export interface TaskScheduling {
  /** Clients with the fewest running tasks come first. */
  client: string
  /** What the task works on, where `maxPerTarget` limits that. */
  target?: string
  /** Whether it comes before tasks without priority, which have every fourth start while they wait. Default: false. */
  hasPriority?: boolean | undefined
  /**
   * Whether the task may wait. Called before it waits, and whenever another task ends.
   *
   * @param waitInTasks  The expected wait, as a multiple of the average duration of a task.
   */
  mayWait?: (waitInTasks: number) => boolean
}
