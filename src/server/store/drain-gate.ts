/**
 * Runs operations until it is closed; closing waits for the operations that are still running.
 *
 * @param subject  The closed resource, for the error of operations that come too late.
 */
export function createDrainGate(subject: string) {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function assertOpen(): void {
    if (closing) throw new Error(`${subject} is closed`)
  }

  return {
    assertOpen,
    isOpen: (): boolean => closing === undefined,
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      assertOpen()
      const operation = work()
      running.add(operation)
      try {
        return await operation
      } finally {
        running.delete(operation)
      }
    },
    /** @param release  Runs once, after the last operation has settled. */
    close: (release: () => Promise<void>): Promise<void> => (closing ??= Promise.allSettled(running).then(release)),
  }
}
