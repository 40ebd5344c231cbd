// Covers what an app wants of previews beyond the defaults, one wish at a time: in a new app of Vite with Tailwind and what shadcn
// writes, built from the packed package, under a strict content security policy, in front of a fake service.
import { getRequestListener } from '@hono/node-server'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFakeService } from '../../src/testing/index.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { appDir } from './build-app.js'
import { contentTypeOf } from './content-type-of.js'
import { listenAsHost, type AppHost } from './listen-as-host.js'
import { openApp, type OpenApp } from './open-app.js'
import { runNpm } from './run-npm.js'
import { WAIT_OPTIONS } from './until-card.js'

const POLICY = "default-src 'self'"
const TIDES = {
  title: 'Tide tables',
  description: 'High and low water, harbour by harbour, for every day of the year and the one after it.',
  author: 'Mara Lund',
  publisher: 'Harbour Press',
  date: '2026-01-31T00:00:00.000Z',
  logo: true,
}

let chromium: Browser
let host: AppHost
let app: OpenApp
let slowPage: Promise<typeof TIDES>
let releaseSlowPage: () => void

beforeAll(async () => {
  await runNpm(appDir('fresh-vite'), ['run', 'build:wishes'], { ...process.env, NODE_ENV: 'production' })
  chromium = await launchChromium()
})
afterAll(() => chromium.close())
afterEach(async () => {
  await app.page.browserContext().close()
  await host.close()
})

/** Opens the page of a wish with its own service. */
async function open(wish: string, width = 420): Promise<Page> {
  slowPage = new Promise((resolve) => (releaseSlowPage = () => resolve(TIDES)))
  const service = createFakeService(
    {
      'https://stale.example': [{ title: 'Yesterday', cache: { status: 'STALE' } }, { title: 'Today' }],
      'https://down.example': 'EFORBIDDENURL',
      'https://slow.example': () => slowPage,
      '*': TIDES,
    },
    { images: 'served' },
  )
  const previews = getRequestListener((request) => service(request))
  host = await listenAsHost((request, response) => {
    const { pathname } = new URL(request.url!, 'http://app.test')
    const isMember = request.headers.cookie?.includes('session=mara')
    const file = join(appDir('fresh-vite'), 'dist-wishes', pathname)
    if (pathname.startsWith('/members/') && !isMember) response.writeHead(401).end('{}')
    else if (pathname.includes('/page-preview')) void previews(request, response)
    else if (existsSync(file)) {
      response.writeHead(200, { 'content-type': contentTypeOf(file), 'content-security-policy': POLICY })
      createReadStream(file).pipe(response)
    } else response.writeHead(404).end()
  })
  app = await openApp(chromium, `${host.url}/wishes.html?wish=${wish}`, { width })
  return app.page
}

const untilReady = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('[data-status=ready]') &&
      !document.querySelector('[data-status=loading], [data-status=refreshing], [data-pending]'),
    WAIT_OPTIONS,
  )

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

/** Nothing moved, and the browser has nothing to say. */
async function expectCalm(complaints: readonly string[] = []): Promise<void> {
  await picture()
  expect((await app.page.evaluate(() => window.layoutShift)).toFixed(3)).toBe('0.000')
  expect(app.complaints).toEqual(complaints)
}

/** A folder for pictures of all wishes, if somebody wants to look at them. */
const { WISH_PICTURES } = process.env

async function picture(state = 'ready'): Promise<void> {
  if (!WISH_PICTURES) return
  const name = new URL(app.page.url()).searchParams.get('wish')!
  await app.page.screenshot({ path: `${WISH_PICTURES}/${name}-${state}.png` })
}

it('has an image in a ratio of its own', async () => {
  const page = await open('ratio')
  await untilReady(page)
  const [width, height] = await page.$eval('.pp-media', ({ clientWidth, clientHeight }) => [clientWidth, clientHeight])
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
  const sent = () => app.loaded.filter((url) => url.includes('page-preview?'))
  expect(sent().length).toBeLessThan(10)
  for (let index = 0; index < 60; index++) {
    await page.$$eval('article', (cards, index) => cards[index]!.scrollIntoView(), index)
    await page.waitForFunction(
      (index) => document.querySelectorAll<HTMLElement>('article')[index]!.dataset.status === 'ready',
      WAIT_OPTIONS,
      index,
    )
  }
  expect(sent()).toHaveLength(60)
  await expectCalm()
})

it('does not move a chat that grows', async () => {
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
  expect(app.loaded.filter((url) => url.includes('page-preview?'))).toHaveLength(1)
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

it('throws to an error boundary with Suspense', async () => {
  const page = await open('error-boundary')
  await page.waitForSelector('[role=alert]', WAIT_OPTIONS)
  await page.waitForSelector('h2', WAIT_OPTIONS)
  expect(await textOf(page, 'h2')).toBe('Tide tables')
  expect(await textOf(page, '[role=alert]')).toContain('may not fetch')
  await picture()
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
    expect(await textOf(page, 'article p')).toMatch(/^Mara Lund\s+Jan 31, 2026$/)
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
