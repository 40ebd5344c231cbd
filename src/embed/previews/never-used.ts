// Stands in the script's build for the parts of react-query that change data or page through it: nothing here does.

/** What `QueryClient` and its persister ask of it by themselves: it has nothing to resume when the page is back. */
export class MutationCache {
  resumePausedMutations(): Promise<void> {
    return Promise.resolve()
  }
  clear(): void {}
  getAll(): never[] {
    return []
  }
  subscribe(): () => void {
    return () => {}
  }
}

export const infiniteQueryBehavior = (): undefined => undefined
