import { connect } from 'puppeteer-core'
import { localSite } from '../local-site.js'
import { startChromium } from './start-chromium.js'

/** A Chromium that nothing guards: an attack that sends nothing from it proves nothing about a guarded one. */
export interface UnguardedBrowser {
  /** Its product and version, `HeadlessChrome/153.0.8010.0`. */
  version: string
  /** Opens a page in its own context until `hasArrived` does not throw any more. */
  open(html: string, hasArrived: () => Promise<unknown>): Promise<void>
  stop(): Promise<void>
}

/** @param flags  Default: the flags of the service without the guard's. */
export async function startUnguardedBrowser(flags: readonly string[] = ['--headless']): Promise<UnguardedBrowser> {
  const chromium = await startChromium(flags)
  const browser = await connect({ browserURL: chromium.url })
  const site = await localSite({})
  return {
    version: await browser.version(),
    async open(html, hasArrived) {
      site.routes['/'] = html
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      // WebTransport needs a page from a server.
      await page.goto(site.url)
      await hasArrived()
      await context.close()
    },
    async stop() {
      await browser.disconnect()
      await Promise.all([chromium.stop(), site.close()])
    },
  }
}
