/**
 * Works through items, several at the same time; after the first error no further item is begun.
 *
 * @param work  Its signal aborts with `signal`, and when another item has failed.
 * @throws      The first error of `work`; the reason of `signal`.
 */
export async function workThrough<Item>(
  items: Iterable<Item>,
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  const either = AbortSignal.any([signal, stopping.signal])
  // All workers take from one iterator.
  const remaining = items[Symbol.iterator]()
  const takeTurns = async () => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) {
      either.throwIfAborted()
      await work(next.value, either)
    }
  }
  const workers = Array.from({ length: concurrency }, () =>
    takeTurns().catch((error: unknown) => {
      stopping.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(workers)
  either.throwIfAborted()
}
