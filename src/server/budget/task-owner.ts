/** Whoever a task is for, and what decides when it starts. */
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
