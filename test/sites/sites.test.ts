// Covers freezing the sites of real generators, with the packed packages: no single source file takes part alone.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppHost } from '../apps/listen-as-host.js'
import { openApp } from '../apps/open-app.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { createSitesFolder, type SitesFolder } from './build-sites.js'
import { measureLayout } from './measure-layout.js'
import { siteGenerators } from './site-generators.js'
import { staticHost } from './static-host.js'

const BUILD_TIMEOUT_MS = 900_000
/** The layouts of the cards on each page. */
const PAGES = { '/': ['card'], '/layouts': ['row', 'image', 'inline'], '/links': ['card', 'card'], '/code': [] }
const SCHEMES = ['light', 'dark'] as const
/** CSS pixels. */
const WIDTHS = [390, 1280]
const VIEWS = Object.entries(PAGES).flatMap(([path, layouts]) =>
  SCHEMES.flatMap((colorScheme) => WIDTHS.map((width) => ({ path, layouts, colorScheme, width }))),
)

let folder: SitesFolder
let chromium: Browser
/** The folders of the written sites: each is built while the one before it is opened. */
const builds = new Map<string, Promise<string>>()

beforeAll(async () => {
  folder = await createSitesFolder()
  chromium = await launchChromium('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1')
}, BUILD_TIMEOUT_MS)
afterAll(async () => {
  await chromium.close()
  await Promise.allSettled(builds.values())
  await folder.remove()
})

const generators = Object.entries(siteGenerators)
const present = generators.filter(([, { missing }]) => !missing)
for (const [name, { missing }] of generators)
  if (missing) console.warn(`page-preview: the site of ${name} is NOT tested: ${missing}`)

function startBuild(name: string): Promise<string> {
  const build = builds.get(name) ?? folder.build(name, siteGenerators[name]!)
  builds.set(name, build)
  return build
}

describe.each(present)('the frozen site of %s', (name, generator) => {
  const { hasInlineCode } = generator
  let dir: string
  let host: AppHost
  beforeAll(async () => {
    dir = await startBuild(name)
    const [next] = present[present.findIndex(([each]) => each === name) + 1] ?? []
    // Its own tests report why it cannot be built.
    if (next) startBuild(next).catch(() => undefined)
    host = await staticHost(dir, hasInlineCode ? policyWithOwnCode : () => "default-src 'self'")
  }, BUILD_TIMEOUT_MS)
  afterAll(() => host?.close())

  it.each(VIEWS)('shows at $path its cards in $colorScheme colours, $width px wide, without network', async (view) => {
    const { page, complaints, loaded } = await openApp(chromium, host.url + view.path, view)
    await page.waitForNetworkIdle()
    expect(await cardsOn(page)).toEqual(view.layouts.map((layout) => ({ layout, hasImage: layout !== 'inline' })))
    expect(await measureLayout(page, generator.movingParts)).toEqual({ shift: 0, overflow: 0, touching: 0 })
    expect(complaints).toEqual([])
    expect(loaded.filter((url) => !url.startsWith('data:') && !url.startsWith(`${host.url}/`))).toEqual([])
    await page.browserContext().close()
  })

  it('shows the picture of a page in the colours of the reader, where the site asks for both', async () => {
    const [light, dark] = await Promise.all(
      SCHEMES.map(async (colorScheme) => {
        const { page } = await openApp(chromium, host.url, { colorScheme })
        await cardsOn(page)
        const brightness = await page.$eval('page-preview img.pp-image', brightnessOf)
        await page.browserContext().close()
        return brightness
      }),
    )
    expect(light).toBeGreaterThan(2 * dark!)
  })

  if (hasInlineCode)
    it('takes the colours that the reader chooses by the switch of the theme', async () => {
      const { page } = await openApp(chromium, host.url)
      await page.waitForNetworkIdle()
      const card = () => page.$eval('.page-preview', coloursOf)
      const light = await card()
      await page.evaluate(() => {
        // What VitePress and Docusaurus do.
        document.documentElement.classList.add('dark')
        document.documentElement.dataset['theme'] = 'dark'
      })
      const dark = await card()
      expect(light.background).toBeGreaterThan(light.text + 128)
      expect(dark.background).toBeLessThan(dark.text - 128)
      await page.browserContext().close()
    })

  it('shows its cards to readers who come from another of its pages', async () => {
    const { page, complaints } = await openApp(chromium, host.url, { width: 1280 })
    await page.waitForNetworkIdle()
    await page.click('a[href*=layouts]')
    await page.waitForSelector('page-preview > [data-layout=row]')
    expect((await cardsOn(page)).map(({ layout }) => layout)).toEqual(PAGES['/layouts'])
    expect(complaints).toEqual([])
    await page.browserContext().close()
  })

  it('has no script and no style inside of a card, and no script on pages that had none', async () => {
    const { page } = await openApp(chromium, `${host.url}/layouts`)
    expect(await page.$$('page-preview :is(script, style, [style])')).toEqual([])
    if (!hasInlineCode) expect(await page.$$('script')).toEqual([])
    await page.browserContext().close()
  })

  it('shows its cards without JavaScript too', async () => {
    const { page } = await openApp(chromium, `${host.url}/layouts`, { javascript: false })
    expect(await page.$$('page-preview > .page-preview')).toHaveLength(3)
    await page.browserContext().close()
  })

  it('leaves code that shows how a preview is written as it is', async () => {
    const { page } = await openApp(chromium, `${host.url}/code`)
    expect(await page.$eval('pre', ({ textContent }) => textContent)).toContain(' screenshot></page-preview>')
    expect(await page.$$('page-preview')).toEqual([])
    await page.browserContext().close()
  })

  if (generator.freezeArgs)
    it('is the same, byte by byte, when it is frozen again without network', async () => {
      const before = await filesOf(dir)
      await folder.freeze(name, [...generator.freezeArgs!, '--offline'])
      expect(await filesOf(dir)).toEqual(before)
    })
})

/** The cards of a page, once their images have been scrolled to and have loaded. */
async function cardsOn(page: Page) {
  for (const image of await page.$$('page-preview img')) await image.evaluate((element) => element.scrollIntoView())
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('page-preview img')].every(({ complete }) => complete),
  )
  return page.$$eval('page-preview > .page-preview', (cards) =>
    cards.map((card) => ({
      layout: (card as HTMLElement).dataset['layout'],
      hasImage: (card.querySelector<HTMLImageElement>('img.pp-image')?.naturalWidth ?? 0) > 0,
    })),
  )
}

/** The mean brightness of an image that is displayed, from 0 to 255. */
function brightnessOf(image: Element): number {
  const context = new OffscreenCanvas(16, 16).getContext('2d')!
  context.drawImage(image as HTMLImageElement, 0, 0, 16, 16)
  const { data } = context.getImageData(0, 0, 16, 16)
  return data.reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0) / (16 * 16 * 3)
}

/** The brightness of the background and the text of a card, from 0 to 255. */
function coloursOf(card: Element): { background: number; text: number } {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  const { backgroundColor, color } = getComputedStyle(card)
  const brightnessOfColour = (fill: string) => {
    context.fillStyle = fill
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3
  }
  return { background: brightnessOfColour(backgroundColor), text: brightnessOfColour(color) }
}

/** Allows what the theme of a generator itself writes into pages, and nothing else. */
function policyWithOwnCode(html: string): string {
  const hashes = (pattern: RegExp) =>
    [...html.matchAll(pattern)].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  const scripts = hashes(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)
  const styles = hashes(/ style="([^"]*)"/g)
  return `default-src 'self'; script-src 'self' ${scripts.join(' ')}; style-src 'self' 'unsafe-hashes' ${[...styles, ...RUNTIME_STYLES].join(' ')}; img-src 'self' data:`
}

const RUNTIME_STYLES = [
  // VitePress stops transitions while it sets its colours.
  "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
  // SvelteKit hides the element that announces new pages to screen readers.
  "'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='",
]

async function filesOf(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const hashed = paths.map(async (path) => [
    path,
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  ])
  return Object.fromEntries(await Promise.all(hashed)) as Record<string, string>
}
