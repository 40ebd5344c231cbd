// Stands in the script's build for the parts of react-query that change data or page through it: nothing here does.

/** What `QueryClient` asks of it by itself: it has nothing to resume when the page is back. */
export class MutationCache {
  resumePausedMutations(): Promise<void> {
    return Promise.resolve()
  }
  clear(): void {}
}

export const infiniteQueryBehavior = (): undefined => undefined
