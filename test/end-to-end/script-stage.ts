import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { openPage, type OpenPage } from './open-page.js'

/** The environment of the script tag tests: a service, a site that it may capture, a site that embeds its previews, a browser. */
export interface ScriptStage {
  serving: StartedService
  site: LocalSite
  elsewhere: LocalSite
  chromium: Browser
  /** Opens a page of `elsewhere`, and closes it after the test. */
  open: (path?: string) => Promise<OpenPage>
}

/**
 * Sets the environment up before the tests of one file, and tears it down after them.
 *
 * @param pages  Of the site: HTML by path.
 * @returns      A function that returns the environment while the tests run.
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
    if (!stage) throw new Error('The environment exists only while the tests run.')
    return stage
  }
}

/** The state of each preview that the script has mounted. */
export const states = (page: Page): Promise<(string | undefined)[]> =>
  page.$$eval('page-preview', (all) =>
    all.map(({ shadowRoot }) => shadowRoot?.querySelector<HTMLElement>('.page-preview')?.dataset.status),
  )
