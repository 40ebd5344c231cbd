// What the tools for static sites use of the service besides the service itself. Each part is loaded when it is called, because a
// run that has everything in its cache is then several times as fast.
import pLimit from 'p-limit'
import type { PageState } from '../query/index.js'
import { candidateId } from './explainer.js'
import type { ImageFormat, Images } from './images/index.js'
import { loadOnce, withTimeout } from './jobs/index.js'
import type { Logger } from './log.js'

export { candidateId, loadOnce, withTimeout }

/** Requests of a tool itself, which pass the network guard like requests of the service. */
export interface GuardedRequests {
  /** @throws  {PageError} with a sentence; the reason of `signal` when that aborts. */
  fetchList(url: string, signal: AbortSignal): Promise<Uint8Array>
  /**
   * @returns  Where a URL leads, and whether every redirect on the way is permanent; `undefined` when there is no response.
   * @throws   The reason of an aborted signal.
   */
  follow(url: string, signal: AbortSignal): Promise<{ url: string; isPermanent: boolean } | undefined>
  close(): Promise<void>
}

/** @throws  Error with a sentence, for a `browser` or a `CHROMIUM_PATH` that is none. */
export async function assertBrowserExists(browser: string | undefined): Promise<void> {
  const tools = await import('./browser/index.js')
  await tools.assertBrowserExists(browser)
}

const FOLLOW_TIMEOUT_MS = 10_000
const PERMANENT: readonly number[] = [301, 308]

export async function openGuardedRequests(allowTargets: readonly string[]): Promise<GuardedRequests> {
  const [{ createDispatcher, createGuard }, { followRedirects }, { fetchList }] = await Promise.all([
    import('./network/index.js'),
    import('./page/index.js'),
    import('./fetch-list.js'),
  ])
  const guard = createGuard({ allowTargets })
  const dispatcher = createDispatcher(guard)
  return {
    fetchList: (url, signal) => fetchList(url, { guard, dispatcher, signal }),
    async follow(url, signal) {
      const headers = { accept: 'text/html,*/*;q=0.8' }
      const timeoutError = () => new Error('The link takes too long to respond.')
      try {
        const response = await withTimeout(
          (either) => followRedirects(url, { guard, dispatcher, signal: either, headers }),
          { signal, timeoutMs: FOLLOW_TIMEOUT_MS, timeoutError },
        )
        response.body.destroy()
        const isPermanent = response.redirects.every(({ statusCode }) => PERMANENT.includes(statusCode))
        return { url: response.url, isPermanent }
      } catch {
        signal.throwIfAborted()
        return undefined
      }
    },
    close: () => dispatcher.destroy(),
  }
}

/** How lists of URLs and sitemaps are read. */
export const openUrlLists = () => import('./url-list.js')

/** @throws  {Error} with the end of a sentence: which of the targets cannot be let through. */
export async function checkTargets(allowTargets: readonly string[]): Promise<void> {
  const { createGuard } = await import('./network/index.js')
  createGuard({ allowTargets })
}

/** The end of a sentence that begins with the page: `shows a bot check instead of its content`. */
export async function describeState(state: PageState): Promise<string> {
  const pageState = await import('./page-state/index.js')
  return pageState.describeState(state)
}

/** The format of an image by its first bytes; `undefined` for anything that is not decoded, such as SVG. */
export async function detectImageFormat(bytes: Uint8Array): Promise<ImageFormat | undefined> {
  const images = await import('./images/index.js')
  return images.detectImageFormat(bytes)
}

/**
 * Decodes images in child processes, as the service does, and as the same user. Conversions wait for each other.
 *
 * @param browserUser  The same as in `ServiceOptions`.
 */
export async function openImages({
  browserUser,
  log,
}: {
  browserUser?: string | undefined
  log?: Logger | undefined
}): Promise<Pick<Images, 'convertVariants' | 'compareImages' | 'close'>> {
  const [{ findBrowserUser }, { createImages, findImageUser, MAX_CONCURRENT_CONVERSIONS }] = await Promise.all([
    import('./browser/index.js'),
    import('./images/index.js'),
  ])
  const user = await findBrowserUser(browserUser).catch(() => undefined)
  const images = createImages({
    user: await findImageUser(user, { warn: (event) => log?.warn(event, 'images') }),
  })
  const limit = pLimit(MAX_CONCURRENT_CONVERSIONS)
  return {
    ...images,
    convertVariants: (...conversion) => limit(() => images.convertVariants(...conversion)),
  }
}
