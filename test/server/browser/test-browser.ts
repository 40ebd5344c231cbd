import { parseQuery } from '../../../src/query/index.js'
import { createBrowser, type Browser, type BrowserOptions, type Capture } from '../../../src/server/browser/index.js'
import { createGuard, startEgressProxy } from '../../../src/server/network/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

export interface TestBrowser {
  site: LocalSite
  browser: Browser
  /** What the browser logged so far. */
  events: Record<string, unknown>[]
  /** Captures a path of the site; `url` in the query stands for a whole address. */
  capture(
    path: string,
    query?: Record<string, unknown>,
    options?: { signal?: AbortSignal; deadlineMs?: number },
  ): Promise<Capture>
  close(): Promise<void>
}

/** A real Chromium behind the real egress proxy, and a local site that both may reach. */
export async function startTestBrowser(
  routes: Record<string, Route>,
  { allowTargets = [], ...options }: Partial<BrowserOptions> & { allowTargets?: string[] } = {},
): Promise<TestBrowser> {
  const site = await localSite(routes)
  const guard = createGuard({ allowTargets: [site.host, ...allowTargets] })
  const proxy = await startEgressProxy(guard)
  const events: Record<string, unknown>[] = []
  const log = (event: Record<string, unknown>) => void events.push(event)
  const browser = createBrowser({ proxyUrl: proxy.url, guard, log, ...options })
  return {
    site,
    browser,
    events,
    capture: (path, query = {}, { signal = new AbortController().signal, ...rest } = {}) =>
      browser.capture(parseQuery({ url: site.url + path, screenshot: true, ...query }).query, { signal, ...rest }),
    async close() {
      await browser.close()
      await proxy.close()
      await site.close()
    },
  }
}
