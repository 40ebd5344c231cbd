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

  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    assertOpen()
    const operation = work()
    running.add(operation)
    try {
      return await operation
    } finally {
      running.delete(operation)
    }
  }

  return {
    assertOpen,
    isOpen: (): boolean => closing === undefined,
    run,
    /** The same methods, each an operation of the gate. */
    guard<Part extends Record<keyof Part, (...args: never[]) => Promise<unknown>>>(part: Part): Part {
      const methods: [string, (...args: unknown[]) => Promise<unknown>][] = Object.entries(part)
      const guarded = methods.map(([name, method]) => [name, (...args: unknown[]) => run(() => method(...args))])
      return Object.fromEntries(guarded) as Part
    },
    /** @param release  Runs once, after the last operation has settled. */
    close: (release: () => Promise<void>): Promise<void> => (closing ??= Promise.allSettled(running).then(release)),
  }
}
