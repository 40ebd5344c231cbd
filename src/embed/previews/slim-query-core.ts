// Stands in the script's build for parts of react-query: those that change data or page through it, which nothing here does,
// and those that can be told of other timers, another focus or another network than the browser's.

export const infiniteQueryBehavior = (): undefined => undefined

/** What `QueryClient` and its persister ask of it by themselves. */
export class MutationCache {
  getAll(): never[] {
    return []
  }
  subscribe(): () => void {
    return () => {}
  }
}

export const timeoutManager: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'> =
  globalThis
export const systemSetTimeoutZero = (callback: () => void): unknown => setTimeout(callback)

/** For good, as the script is never gone from its page. */
export const focusManager = {
  isFocused: (): boolean => document.visibilityState !== 'hidden',
  subscribe: (tell: (isFocused: boolean) => void): void =>
    addEventListener('visibilitychange', () => tell(focusManager.isFocused())),
}

export const onlineManager = {
  subscribe: (tell: (isOnline: boolean) => void): void => addEventListener('online', () => tell(true)),
}
