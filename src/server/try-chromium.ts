import { parseQuery } from '../query/index.js'
import { createBrowser, type InstalledChromium } from './browser/index.js'
import { BACKGROUND } from './budget/index.js'
import type { Images } from './images/index.js'
import { createDispatcher, createGuard, createPageProxies } from './network/index.js'
import { fetchImage } from './page/index.js'
import { scopeOfQuery, type ExtractionScope } from './request-scope.js'
import type { ServiceSettings } from './service-options.js'

/**
 * Captures the landing page of the sample site with a Chromium, beside the one that the service uses, and in the same way.
 *
 * @throws  {Error} if it does not start in its sandbox, or the capture fails.
 */
export async function tryChromium(
  { path, version }: InstalledChromium,
  {
    images,
    settings: { browserUser, allowUnsandboxed },
    signal,
  }: { images: Images; settings: ServiceSettings; signal: AbortSignal },
): Promise<void> {
  const { startDemoSite } = await import('./demo/index.js')
  const demo = await startDemoSite()
  const guard = createGuard({ allowTargets: [demo.host] })
  const dispatcher = createDispatcher(guard)
  const pageProxies = createPageProxies(guard)
  const browser = createBrowser({
    executable: path,
    concurrency: 1,
    maxQueue: 1,
    browserUser,
    allowUnsandboxed,
    openProxy: () => pageProxies.open(),
    guard,
    fetchImage: (url, signal) => fetchImage(url, { guard, dispatcher, signal }),
    images,
  })
  try {
    const { statusCode, state } = await browser.capture(trialScope(demo.url, signal))
    if (statusCode !== 200 || state !== undefined)
      throw new Error(`Chromium ${version} captured the sample page as ${state ?? statusCode}.`)
  } finally {
    await browser.close()
    await Promise.all([pageProxies.close(), dispatcher.destroy(), demo.close()])
  }
}

const trialScope = (url: string, signal: AbortSignal): ExtractionScope => ({
  ...scopeOfQuery(parseQuery({ url, screenshot: true })),
  client: BACKGROUND,
  signal,
  allowedHosts: undefined,
  hasPriority: false,
})
