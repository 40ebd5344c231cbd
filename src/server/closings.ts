/** What releases the parts of something, in the order in which they were opened. */
export type Closings = (() => Promise<unknown> | void)[]

/**
 * Releases all parts, the last one first, because it may use those before it.
 *
 * @throws  The first failure, once the others have been released too.
 */
export async function closeAll(closings: Closings): Promise<void> {
  const failures: unknown[] = []
  for (const close of closings.toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Releases what was opened before a failure, which is thrown again. */
export async function closeAfterFailure(closings: Closings, failure: unknown): Promise<never> {
  // Whoever waits for the start can do nothing about a failure of the end.
  await closeAll(closings).catch(() => undefined)
  throw failure
}
