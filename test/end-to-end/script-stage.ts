import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { openPage, type OpenPage } from './open-page.js'

/** What the tests of the script tag play on: a service, a site that it may visit, a page of another origin, a browser. */
export interface ScriptStage {
  serving: StartedService
  site: LocalSite
  elsewhere: LocalSite
  chromium: Browser
  /** Opens a page from elsewhere, which is closed after the test. */
  open: (path?: string) => Promise<OpenPage>
}

/**
 * Sets the stage before the tests of one file, and clears it after them.
 *
 * @param pages  Of the site: what is answered for each path.
 * @returns      What gives the stage once the tests run.
 */
export function scriptStage(pages: Record<string, string>): () => ScriptStage {
  let stage: ScriptStage | undefined
  let opened: OpenPage | undefined
  beforeAll(async () => {
    const [site, elsewhere] = [await localSite(pages), await localSite({})]
    const serving = await startService(`--allow-target=${site.host}`)
    const chromium = await launchChromium()
    const open = async (path = '/') => (opened = await openPage(chromium, elsewhere.url + path))
    stage = { serving, site, elsewhere, chromium, open }
  })
  afterEach(async () => {
    await opened?.page.close()
    opened = undefined
  })
  afterAll(async () => {
    await stage?.chromium.close()
    await stage?.serving.stop()
    await Promise.all([stage?.site.close(), stage?.elsewhere.close()])
  })
  return () => {
    if (!stage) throw new Error('The stage is set when the tests run.')
    return stage
  }
}

/** The state of each preview of a page that the script has made. */
export const states = (page: Page): Promise<(string | undefined)[]> =>
  page.$$eval('page-preview', (all) =>
    all.map(({ shadowRoot }) => shadowRoot?.querySelector<HTMLElement>('.page-preview')?.dataset.state),
  )
