/** Lets work in until it is closed, and then waits for what is inside. */
export type DrainGate = ReturnType<typeof createDrainGate>

/** @param place  What is behind it, for the error of whoever comes too late. */
export function createDrainGate(place: string) {
  const inside = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function mustBeOpen(): void {
    if (closing) throw new Error(`${place} is closed`)
  }

  return {
    mustBeOpen,
    isOpen: (): boolean => closing === undefined,
    async enter<Result>(work: () => Promise<Result>): Promise<Result> {
      mustBeOpen()
      const run = work()
      inside.add(run)
      try {
        return await run
      } finally {
        inside.delete(run)
      }
    },
    /** @param finish  Runs once, when nothing is inside any more. */
    close: (finish: () => Promise<void>): Promise<void> => (closing ??= Promise.allSettled(inside).then(finish)),
  }
}
