import { createBrowser, type Browser, type Capture } from '../../../src/server/browser/index.js'
import type { BrowserOptions } from '../../../src/server/browser/create-browser.js'
import { createImages } from '../../../src/server/images/index.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { startEgressProxy } from '../../../src/server/network/egress-proxy.js'
import type { GuardOptions } from '../../../src/server/network/guard.js'
import { fetchImage } from '../../../src/server/page/index.js'
import { requestScope } from '../request-scope.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

export interface TestBrowser {
  site: LocalSite
  browser: Browser
  /** The browser's log so far. */
  events: Record<string, unknown>[]
  /** Captures a path of the site; `url` in the query overrides it. */
  capture(
    path: string,
    query?: Record<string, unknown>,
    options?: { client?: string; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<Capture>
  close(): Promise<void>
}

/** Starts a real Chromium behind the real egress proxy, and a local site that both may reach. */
export async function startTestBrowser(
  routes: Record<string, Route>,
  {
    allowTargets = [],
    resolve,
    ...options
  }: Partial<BrowserOptions> & { allowTargets?: string[]; resolve?: GuardOptions['resolve'] } = {},
): Promise<TestBrowser> {
  const site = await localSite(routes)
  const guard = createGuard({ allowTargets: [site.host, ...allowTargets], resolve })
  const dispatcher = createDispatcher(guard)
  const proxy = await startEgressProxy(guard)
  const events: Record<string, unknown>[] = []
  const log = (event: Record<string, unknown>) => void events.push(event)
  const images = createImages()
  const browser = createBrowser({
    images,
    openProxy: async () => ({ url: proxy.url, budget: undefined, close: async () => undefined }),
    guard,
    fetchImage: (url, signal) => fetchImage(url, { guard, dispatcher, signal }),
    concurrency: 2,
    maxQueue: 50,
    log,
    ...options,
  })
  return {
    site,
    browser,
    events,
    capture: (path, query = {}, overrides = {}) =>
      browser.capture(requestScope({ url: site.url + path, screenshot: true, ...query }, overrides)),
    async close() {
      await Promise.all([browser.close(), images.close()])
      await Promise.all([proxy.close(), dispatcher.destroy()])
      await site.close()
    },
  }
}
