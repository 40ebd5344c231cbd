// Covers the recipe of Angular in an app that installs the package, which runs no single source file.
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { buildApp } from './build-app.js'
import { openApp } from './open-app.js'
import { untilCaptured } from './until-captured.js'
import { WAIT_OPTIONS, untilCard } from './until-card.js'

let target: LocalSite
let app: LocalSite
let serving: StartedService
let chromium: Browser

beforeAll(async () => {
  target = await localSite({
    '/red': pageWithHero('red'),
    '/blue': pageWithHero('blue'),
    '/hanging': () => undefined,
  })
  serving = await startService(`--allow-target=${target.host}`)
  await untilCaptured(serving.free, `${target.url}/red`)
  app = await localSite(await builtFiles())
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await Promise.all([app.close(), target.close()])
})

it('passes properties from Angular to the element, receives its events, and sends a request only for another page', async () => {
  const { page, complaints, loaded } = await openArticles('/red', '/blue')
  await untilArticle(page, { layout: 'card', title: 'A page in red' })
  await page.click('app-reading button')
  await untilArticle(page, { layout: 'row', title: 'A page in red' })
  expect(loaded.filter(isPreviewRequest)).toHaveLength(1)
  await page.click('.next')
  await untilArticle(page, { layout: 'row', title: 'A page in blue' })
  expect(loaded.filter(isPreviewRequest)).toHaveLength(2)
  expect(complaints).toEqual([])
  await page.browserContext().close()
})

it('aborts the request when Angular removes the element', async () => {
  const { page, complaints } = await openArticles('/hanging')
  await expect.poll(() => target.requests, WAIT_OPTIONS).toContain('GET /hanging')
  await page.click('.close')
  await expect.poll(() => complaints, WAIT_OPTIONS).toEqual([expect.stringMatching(/hanging: net::ERR_ABORTED$/)])
  await page.browserContext().close()
})

const pageWithHero = (color: string) => `<!doctype html><title>A page in ${color}</title><body style="margin:0">
  <div id="hero" style="width:320px;height:200px;background:${color}"></div>`

/** The built app with the script of this test's service. */
async function builtFiles() {
  const dist = join(await buildApp('angular'), 'dist')
  const page = (await readFile(join(dist, 'index.html'), 'utf8')).replace('https://previews.example.com', serving.free)
  const script = await readFile(join(dist, 'main.js'))
  const icon = await readFile(join(dist, 'icon.svg'))
  const file = (type: string, body: Buffer) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': type }).end(body)
  return { '/': page, '/main.js': file('text/javascript', script), '/icon.svg': file('image/svg+xml', icon) }
}

const openArticles = (...pages: string[]) =>
  openApp(chromium, `${app.url}/?${new URLSearchParams(pages.map((path) => ['page', target.url + path]))}`)

/** Whether a URL requests a preview, not the image of one. */
const isPreviewRequest = (url: string) =>
  url.startsWith(serving.free) && /[?&]url=/.test(url) && !url.includes('embed=')

/** Waits for the card, and for the title that the component read from its `load` event. */
async function untilArticle(page: Page, card: { layout: string; title: string }) {
  await untilCard(page, { ...card, width: '640' })
  await page.waitForFunction(
    (title) => document.querySelector('output')?.textContent === title,
    WAIT_OPTIONS,
    card.title,
  )
}
