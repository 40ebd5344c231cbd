interface Change {
  /** @returns  What to call once it is committed. */
  run(): () => void
  fail(error: unknown): void
}

/**
 * Runs the changes of one turn of the event loop in one transaction, because each commit waits for the disk and blocks all
 * other requests meanwhile. If it fails, each change gets a transaction of its own, so that one does not fail another.
 *
 * @param transaction  Runs a function in a transaction that is committed when it returns; throws when it was not.
 * @returns            A function that runs one change; `change` may run a second time after its first run was not committed.
 */
export function groupCommits(transaction: <Result>(work: () => Result) => Result) {
  let pending: Change[] = []

  function commit(changes: readonly Change[]): void {
    try {
      const onCommitted = transaction(() => changes.map((change) => change.run()))
      for (const resolve of onCommitted) resolve()
    } catch (error) {
      if (changes.length === 1) changes[0]!.fail(error)
      else for (const change of changes) commit([change])
    }
  }

  return <Result>(change: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      const run = () => {
        const result = change()
        return () => resolve(result)
      }
      pending.push({ run, fail: reject })
      if (pending.length > 1) return
      setImmediate(() => {
        const changes = pending
        pending = []
        commit(changes)
      })
    })
}
