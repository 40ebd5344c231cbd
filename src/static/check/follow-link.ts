import { withTimeout } from '../../server/jobs/index.js'
import { createDispatcher, createGuard } from '../../server/network/index.js'
import { followRedirects, USER_AGENT } from '../../server/page/index.js'

/** Where a link leads. */
export interface FollowedLink {
  url: string
  /** Whether every redirect on the way is permanent. */
  isPermanent: boolean
}

/** Follows redirects through the network guard. */
export interface LinkFollower {
  /** @returns  `undefined` when there is no response. The reason of an aborted signal is thrown. */
  follow(url: string, signal: AbortSignal): Promise<FollowedLink | undefined>
  close(): Promise<void>
}

const TIMEOUT_MS = 10_000
const PERMANENT: readonly number[] = [301, 308]

export function createLinkFollower(allowTargets: readonly string[]): LinkFollower {
  const guard = createGuard({ allowTargets })
  const dispatcher = createDispatcher(guard)
  return {
    async follow(url, signal) {
      const headers = { 'user-agent': USER_AGENT, accept: 'text/html,*/*;q=0.8' }
      const request = (either: AbortSignal) => followRedirects(url, { guard, dispatcher, signal: either, headers })
      try {
        const response = await withTimeout(request, { signal, timeoutMs: TIMEOUT_MS, timeoutError })
        response.body.destroy()
        return {
          url: response.url,
          isPermanent: response.redirects.every(({ statusCode }) => PERMANENT.includes(statusCode)),
        }
      } catch {
        signal.throwIfAborted()
        return undefined
      }
    },
    close: () => dispatcher.destroy(),
  }
}

const timeoutError = () => new Error('The link takes too long to respond.')
