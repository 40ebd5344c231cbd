// What an app wants of previews beyond the defaults, one wish at a time: the code of each is in `fresh-vite/src/wishes`, as somebody
// would write it in an app with Tailwind and what shadcn writes.
import { getRequestListener } from '@hono/node-server'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFakeService, type FakeService } from '../../src/testing/index.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { appDir } from './build-app.js'
import { openApp, type OpenApp } from './open-app.js'
import { WAIT_OPTIONS } from './until-card.js'

const WISHES = join(appDir('fresh-vite'), 'src/wishes')
const TIDES = {
  title: 'Tide tables',
  description: 'High and low water, harbour by harbour, for every day of the year and the one after it.',
  author: 'Mara Lund',
  publisher: 'Harbour Press',
  date: '2026-01-31T00:00:00.000Z',
  logo: true,
}

/** An app that has a page for each wish. */
export interface WishApp {
  urlOf: (wish: string) => string
  close: () => Promise<void>
}

export interface WishOptions {
  /** For the folder of its pictures. */
  name: string
  /** Starts the app in front of a service. */
  start: (previews: RequestListener) => Promise<WishApp>
  /** Whether the first result of a `PagePreview` comes with its HTML. */
  isOnServer?: boolean
}

/** A folder for pictures of all wishes, if somebody wants to look at them. */
const { WISH_PICTURES } = process.env

/**
 * Copies the code of the wishes into another app.
 *
 * @param directive  In front of each component.
 * @returns          The names of the wishes.
 */
export async function copyWishes(into: string, directive = ''): Promise<string[]> {
  await rm(into, { recursive: true, force: true })
  await cp(WISHES, into, { recursive: true })
  const files = await readdir(into)
  for (const file of files.filter((file) => file.endsWith('.tsx')))
    await writeFile(join(into, file), directive + (await readFile(join(into, file), 'utf8')))
  return files.flatMap((file) => /^wish-(.*)\.\w+$/.exec(file)?.[1] ?? [])
}

/** Tests every wish in an app, which is built from the packed package, under a strict content security policy. */
export function testWishes({ name, start, isOnServer = false }: WishOptions): void {
  let chromium: Browser
  let host: WishApp
  let app: OpenApp
  let service: FakeService
  let releaseSlowPage: () => void

  beforeAll(async () => {
    chromium = await launchChromium()
    const listener = getRequestListener((request) => service(request))
    host = await start((request, response) => void listener(request, response))
  })
  afterAll(async () => {
    await host?.close()
    await chromium.close()
  })
  afterEach(() => app.page.browserContext().close())

  /** Opens the page of a wish, with a service that has received no request. */
  async function open(wish: string, width = 420): Promise<Page> {
    const slowPage = new Promise<typeof TIDES>((resolve) => (releaseSlowPage = () => resolve(TIDES)))
    service = createFakeService(
      {
        'https://stale.example': [{ title: 'Yesterday', cache: { status: 'STALE' } }, { title: 'Today' }],
        'https://down.example': 'EFORBIDDENURL',
        'https://slow.example': () => slowPage,
        '*': TIDES,
      },
      { images: 'served' },
    )
    app = await openApp(chromium, host.urlOf(wish), { width })
    return app.page
  }

  /** Nothing moved, and the browser has nothing to say. */
  async function expectCalm(complaints: readonly string[] = []): Promise<void> {
    await picture()
    expect((await app.page.evaluate(() => window.layoutShift)).toFixed(3)).toBe('0.000')
    expect(app.complaints).toEqual(complaints)
  }

  async function picture(state = 'ready'): Promise<void> {
    if (!WISH_PICTURES) return
    const [wish] = /[\w-]+$/.exec(app.page.url())!
    if (state === 'ready') await app.page.waitForFunction(isPainted, WAIT_OPTIONS)
    await mkdir(join(WISH_PICTURES, name), { recursive: true })
    await app.page.screenshot({ path: join(WISH_PICTURES, name, `${wish}-${state}.png`) })
  }

  it.runIf(isOnServer)('is in the HTML that the server sends', async () => {
    const page = await open('ratio')
    const html = await (await fetch(page.url())).text()
    expect(html).toMatch(/<article[^>]* data-status="ready".*Tide tables/s)
  })

  it('has an image in a ratio of its own', async () => {
    const page = await open('ratio')
    await untilReady(page)
    const [width, height] = await page.$eval('.pp-media', ({ clientWidth, clientHeight }) => [
      clientWidth,
      clientHeight,
    ])
    expect(height).toBeGreaterThan(200)
    expect(Math.abs(width! - height!)).toBeLessThan(2)
    await expectCalm()
  })

  it('shows no details of the image', async () => {
    const page = await open('no-details')
    await untilReady(page)
    expect(await textOf(page, 'article')).not.toMatch(/2560|PNG/)
    await expectCalm()
  })

  it('opens its link in a new tab', async () => {
    const page = await open('target')
    await untilReady(page)
    expect(await page.$eval('article a', ({ target, rel }) => [target, rel])).toEqual(['_blank', 'noreferrer'])
    await expectCalm()
  })

  it('takes every utility of Tailwind', async () => {
    const page = await open('tailwind')
    await untilReady(page)
    const root = await styleOf(page, 'article', 'margin', 'padding', 'border-width', 'border-top-left-radius')
    expect(root).toEqual(['24px', '20px', '4px', '0px'])
    expect(await styleOf(page, '.pp-title', 'font-size')).toEqual(['24px'])
    expect(await styleOf(page, '.pp-description', '-webkit-line-clamp')).toEqual(['1'])
    await expectCalm()
  })

  it('is dark when the root has a class for it', async () => {
    const page = await open('dark')
    await untilReady(page)
    const brightness = async () => {
      const [background, text] = await styleOf(page, 'article', 'background-color', 'color')
      return { background: brightnessOf(background!), text: brightnessOf(text!) }
    }
    expect(await brightness()).toEqual({ background: 1, text: expect.closeTo(0.09, 1) })
    await page.click('button')
    expect(await brightness()).toEqual({ background: expect.closeTo(0.11, 1), text: expect.closeTo(0.97, 1) })
    await expectCalm()
  })

  it('is one of sixty, which load as the reader comes near', async () => {
    const page = await open('sixty-cards')
    await page.waitForSelector('[data-status=ready]', WAIT_OPTIONS)
    if (isOnServer) expect(service.requests).toHaveLength(60)
    else expect(service.requests.length).toBeLessThan(10)
    // Two cards and a part of a third are in the window.
    for (let index = 1; index < 60; index += 2) {
      await page.$$eval('article', (cards, index) => cards[index]!.scrollIntoView(), index)
      await page.waitForFunction(
        (index) => document.querySelectorAll<HTMLElement>('article')[index]!.dataset.status === 'ready',
        WAIT_OPTIONS,
        index,
      )
    }
    expect(service.requests).toHaveLength(60)
    await expectCalm()
  })

  it.skipIf(isOnServer)('does not move a chat that grows', async () => {
    const page = await open('chat')
    await untilReady(page)
    const distance = () =>
      page.$eval('ol', ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
    for (let sent = 4; sent <= 12; sent++) {
      await page.click('main > button')
      await page.waitForFunction((sent) => document.querySelectorAll('article').length === sent, WAIT_OPTIONS, sent)
      await untilReady(page)
      expect(await distance()).toBeLessThan(1)
    }
    // The messages above move with each click, which the browser counts as the reader's doing for half a second.
    await expectCalm()
  })

  it('is a chip in a paragraph', async () => {
    const page = await open('chip')
    await untilReady(page)
    expect(await page.$$eval('main > *', (elements) => elements.map(({ tagName }) => tagName))).toEqual(['P'])
    const text = await page.$eval('p', ({ textContent }) => textContent)
    expect(text).toBe('The tables of tides.example are printed every year.')
    await expectCalm()
  })

  it('stands in MDX', async () => {
    const page = await open('mdx')
    await untilReady(page)
    const children = await page.$$eval('main > *', (elements) => elements.map(({ localName }) => localName))
    expect(children).toEqual(['h1', 'p', 'article', 'p'])
    await expectCalm()
  })

  it('shares the cache of an app that has react-query', async () => {
    const page = await open('react-query')
    await untilReady(page)
    expect(await textOf(page, 'output')).toBe('Tide tables, 1 query')
    expect(service.requests).toHaveLength(1)
    await expectCalm()
  })

  describe('behind a login', () => {
    it('shows the link to who is not logged in', async () => {
      const page = await open('login')
      await page.waitForSelector('[data-status=failed]', WAIT_OPTIONS)
      expect(await page.$eval('article a', ({ href }) => href)).toBe('https://tides.example/')
      await expectCalm([expect.stringContaining('401') as string])
    })

    it('shows the card to who is', async () => {
      const page = await open('login')
      await page.evaluate(() => (document.cookie = 'session=mara; path=/'))
      app.complaints.length = 0
      await page.reload()
      await untilReady(page)
      expect(await textOf(page, '.pp-title')).toBe('Tide tables')
      await expectCalm()
    })
  })

  it.skipIf(isOnServer)('throws to an error boundary with Suspense', async () => {
    const page = await open('error-boundary')
    await page.waitForSelector('[role=alert]', WAIT_OPTIONS)
    await page.waitForSelector('h2', WAIT_OPTIONS)
    expect(await textOf(page, 'h2')).toBe('Tide tables')
    expect(await textOf(page, '[role=alert]')).toContain('may not fetch')
    await picture()
  })

  it('opens next to a link that is hovered', async () => {
    const page = await open('hover')
    await page.waitForSelector('.pp-hover', WAIT_OPTIONS)
    await page.hover('main a')
    await page.waitForSelector('.pp-popover:not([hidden]) [data-status=ready] img:not([data-pending])', WAIT_OPTIONS)
    expect(await textOf(page, '.pp-popover .pp-title')).toBe('Tide tables')
    await expectCalm()
  })

  it.skipIf(isOnServer)('gives its elements to refs', async () => {
    const page = await open('refs')
    await untilReady(page)
    await page.click('main > button')
    expect(await textOf(page, 'output')).toBe('article section heading heading')
    await expectCalm()
  })

  it('gets its results from a service of tests', async () => {
    const page = await open('fake-service')
    await untilReady(page)
    expect(await textOf(page, '.pp-title')).toBe('Tides of a test')
    expect(service.requests).toHaveLength(0)
    await expectCalm()
  })

  it('has something else in place of the image of a failed page', async () => {
    const page = await open('fallback')
    await page.waitForSelector('[data-status=failed]', WAIT_OPTIONS)
    expect(await textOf(page, '.pp-media')).toBe('The old page is gone')
    await expectCalm([expect.stringContaining('403') as string])
  })

  describe('with parts', () => {
    it('has its title as a heading', async () => {
      const page = await open('heading')
      await untilReady(page)
      expect(await textOf(page, 'h3')).toBe('Tide tables')
      expect(await styleOf(page, 'h3', 'font-size', 'font-weight')).toEqual(['16px', '600'])
      await expectCalm()
    })

    it('names the publisher, the author and the date in place of the host', async () => {
      const page = await open('author')
      await untilReady(page)
      const texts = await page.$$eval('.pp-site > *', (parts) => parts.map(({ textContent }) => textContent))
      expect(texts).toEqual(['Harbour Press', 'Mara Lund', 'Jan 31, 2026'])
      await expectCalm()
    })

    it('is a card of shadcn', async () => {
      const page = await open('shadcn-card')
      await page.waitForSelector('[data-slot=card][data-status=ready] img', WAIT_OPTIONS)
      expect(await textOf(page, '[data-slot=card-title] a')).toBe('Tide tables')
      expect(await textOf(page, '[data-slot=card-description]')).toContain('High and low water')
      expect(await styleOf(page, '[data-slot=card]', 'border-top-left-radius')).toEqual(['14px'])
      await expectCalm()
    })

    it('loads with skeletons of its own', async () => {
      const page = await open('skeleton')
      await page.waitForSelector('[data-slot=skeleton]', WAIT_OPTIONS)
      await picture('loading')
      releaseSlowPage()
      await untilReady(page)
      expect(await page.$('[data-slot=skeleton]')).toBeNull()
      expect(await textOf(page, 'article > div:last-child')).toMatch(/^Mara Lund\s+Jan 31, 2026$/)
      await expectCalm()
    })
  })

  it('shows a stale image at once, and the new one when it has loaded', async () => {
    const page = await open('stale')
    await page.waitForFunction(() => document.querySelector('.pp-title')!.textContent === 'Today', WAIT_OPTIONS)
    await untilReady(page)
    expect(await textOf(page, 'article')).not.toContain('Updating')
    await expectCalm()
  })
}

const untilReady = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('[data-status=ready]') &&
      !document.querySelector('[data-status=loading], [data-status=refreshing], [data-pending]'),
    WAIT_OPTIONS,
  )

/** Whether all images are there and have faded in. Runs in the page. */
const isPainted = () => [...document.images].every(({ complete }) => complete) && document.getAnimations().length === 0

/** Computed styles of the first element that matches. */
const styleOf = (page: Page, selector: string, ...names: string[]): Promise<string[]> =>
  page.$eval(selector, (element, names) => names.map((name) => getComputedStyle(element).getPropertyValue(name)), names)

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => (element as HTMLElement).innerText)

/** The red of a grey: 0 is black, 1 is white. */
function brightnessOf(colour: string): number {
  const [red] = colour.match(/[\d.]+/g)!.map(Number)
  return colour.startsWith('rgb') ? red! / 255 : red!
}
