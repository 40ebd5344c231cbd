// Covers the packed library in apps of other frameworks: they use the package, not its source files.
import { join } from 'node:path'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeys } from '../../src/server/index.js'
import { freePort } from '../shared/free-port.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { appHost } from './app-host.js'
import { appServer } from './app-server.js'
import { buildApp } from './build-app.js'
import type { AppHost } from './listen-as-host.js'
import { openApp } from './open-app.js'
import { untilCaptured } from './until-captured.js'
import { WAIT_OPTIONS } from './until-card.js'

const POLICY = "default-src 'self'"

let serving: StartedService
let key: string
/** A page of the sample site. */
let target: string
let chromium: Browser

beforeAll(async () => {
  serving = await startService('--demo', '--log-level=warn')
  const keys = await openKeys({ dataDir: serving.dataDir })
  ;({ key } = await keys.create('Apps'))
  await keys.close()
  const examples = (await (await fetch(`${serving.playground}examples.json`)).json()) as { url: string }[]
  target = examples[0]!.url
  await untilCaptured(serving.free, target)
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await serving.stop()
})

const withStatic = (policy: string | undefined) => async (dir: string) =>
  appHost(join(dir, 'dist'), policy, {
    endpoint: serving.pro,
    apiKey: key,
    allow: { origins: ['self'] },
    media: true,
  })

/** Next does not accept port 0. */
const withNext = async (dir: string) =>
  appServer(dir, ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(await freePort())], {
    PAGE_PREVIEW_ENDPOINT: serving.pro,
    PAGE_PREVIEW_API_KEY: key,
    TARGET: target,
  })

interface App {
  start: (dir: string) => Promise<AppHost>
  /** Its pages, and how many requests for previews the browser sends on each. */
  pages: Record<string, number>
  /** Pages whose card is in the HTML, so that it works without JavaScript. */
  withoutScript: string[]
}

const APPS: Record<string, App> = {
  'vite-spa': { start: withStatic(POLICY), pages: { '/': 1 }, withoutScript: [] },
  'react-18': { start: withStatic(POLICY), pages: { '/': 1 }, withoutScript: ['/'] },
  // Its pages contain their policy.
  astro: { start: withStatic(undefined), pages: { '/': 1 }, withoutScript: [] },
  next: {
    start: withNext,
    pages: { '/': 0, '/streamed': 0, '/late': 1, '/client': 1 },
    withoutScript: ['/'],
  },
}

describe.each(Object.entries(APPS))('the app %s', (name, { start, pages, withoutScript }) => {
  let host: AppHost
  beforeAll(async () => {
    host = await start(await buildApp(name, { VITE_TARGET: target, PUBLIC_TARGET: target, TARGET: target }))
  })
  afterAll(() => host.close())

  it.each(Object.entries(pages))(
    'shows at %s a card with its image, under a strict policy, without console output, with %i requests for previews',
    async (path, requests) => {
      const { page, complaints, loaded } = await openApp(chromium, host.url + path)
      const card = await cardOn(page)
      expect(card).toEqual({
        title: expect.stringContaining('Nightjar'),
        link: target,
        imageWidth: expect.any(Number),
        origin: host.url,
        // Without the stylesheet it would be `inline`.
        display: expect.not.stringContaining('inline'),
      })
      expect(card.imageWidth).toBeGreaterThanOrEqual(320)
      expect(complaints).toEqual([])
      expect(await policyOf(page)).toContain("default-src 'self'")
      expect(await policyOf(page)).not.toMatch(/unsafe|style-src[^;]*nonce/)
      expect(await page.evaluate(() => window.layoutShift)).toBe(0)
      await page.browserContext().close()

      expect(new Set(loaded.map((url) => new URL(url).origin))).toEqual(new Set([host.url]))
      expect(loaded.filter(isPreviewRequest)).toHaveLength(requests)
      for (const url of loaded) expect(await textOf(url), url).not.toContain(key)
    },
  )

  it.each(withoutScript)('shows at %s a card with its image without JavaScript too', async (path) => {
    const { page } = await openApp(chromium, host.url + path, { javascript: false })
    expect(await cardOn(page, '.page-preview')).toMatchObject({ link: target, origin: host.url })
    await page.browserContext().close()
  })

  if (name === 'react-18')
    it('shows a card of parts, with the result that the other card has', async () => {
      const { page, complaints, loaded } = await openApp(chromium, host.url)
      await page.waitForSelector('section[data-status=ready]', WAIT_OPTIONS)
      expect(await page.$eval('section h2', (title) => title.textContent)).toContain('Nightjar')
      expect(await page.$eval('section a', ({ href, textContent }) => [href, textContent])).toEqual([target, 'Read'])
      expect(complaints).toEqual([])
      expect(loaded.filter(isPreviewRequest)).toHaveLength(1)
      await page.browserContext().close()
    })

  if (name === 'next')
    it('shows at /streamed, without JavaScript, a link in a card as high as the streamed one', async () => {
      const heightAt = async (javascript: boolean, untilVisible: (page: Page) => Promise<unknown>) => {
        const { page } = await openApp(chromium, `${host.url}/streamed`, { javascript })
        await untilVisible(page)
        const height = await page.$eval('main .page-preview', (preview) => preview.getBoundingClientRect().height)
        await page.browserContext().close()
        return height
      }
      const link = `main a.pp-link[href="${target}"]`
      const placeholderHeight = await heightAt(false, (page) => page.waitForSelector(link, { visible: true }))
      expect(placeholderHeight).toBeGreaterThan(200)
      expect(await heightAt(true, (page) => cardOn(page))).toBe(placeholderHeight)
    })
})

/** Whether a URL requests a preview, not the image of one. */
const isPreviewRequest = (url: string) => /\/page-preview\?(?!embed)/.test(url)

const textOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1')

/** What the card shows, once its image has loaded. */
async function cardOn(page: Page, preview = '.page-preview[data-status="ready"]') {
  const handle = await page.waitForFunction(
    (selector) =>
      // React streams content in hidden elements, which it moves into place afterwards.
      [...document.querySelectorAll<HTMLImageElement>(selector)].find(
        (image) => image.checkVisibility() && image.naturalWidth > 0,
      ),
    WAIT_OPTIONS,
    `${preview} .pp-image:not([data-pending])`,
  )
  const image = handle as ElementHandle<HTMLImageElement>
  await page.waitForNetworkIdle({ idleTime: 100 })
  return image.evaluate((image) => {
    const preview = image.closest('.page-preview')!
    return {
      title: preview.querySelector('.pp-title')!.textContent,
      link: preview.querySelector<HTMLAnchorElement>('a.pp-link')!.href,
      imageWidth: image.naturalWidth,
      origin: new URL(image.currentSrc).origin,
      display: getComputedStyle(preview).display,
    }
  })
}

/** The content security policy of a page, from its `<meta>` or its response header. */
async function policyOf(page: Page): Promise<string> {
  const metaPolicy = await page.$$eval('meta[http-equiv="content-security-policy"]', ([meta]) =>
    meta?.getAttribute('content'),
  )
  return metaPolicy ?? (await fetch(page.url())).headers.get('content-security-policy') ?? ''
}
