// Covers the recipes of the documentation with a running service, so no source file has this name.
import { Eleventy } from '@11ty/eleventy'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, HTTPRequest, Page } from 'puppeteer-core'
import rehypeStringify from 'rehype-stringify'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified, type Plugin } from 'unified'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { openPage } from './open-page.js'
import { bundleRecipes, frameworks } from './recipe-bundle.js'

const recipes = join(import.meta.dirname, '../../stories/recipes')

let site: LocalSite
let elsewhere: LocalSite
let serving: StartedService
let chromium: Browser

beforeAll(async () => {
  site = await localSite({
    '/': `<!doctype html><title>A red page</title><body style="margin:0;background:red">
      <div id="hero" style="width:320px;height:200px;background:red"></div>`,
    '/hanging': () => undefined,
  })
  elsewhere = await localSite({})
  serving = await startService(`--allow-target=${site.host}`)
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await Promise.all([site.close(), elsewhere.close()])
})

/** The text of a recipe, with the URLs of this test's service and page. */
async function recipe(path: string): Promise<string> {
  const text = await readFile(join(recipes, path), 'utf8')
  return text
    .replaceAll('https://previews.example.com', serving.free)
    .replaceAll('https://example.com/', `${site.url}/`)
    .replaceAll(encodeURIComponent('https://example.com/'), encodeURIComponent(`${site.url}/`))
}

async function show(body: string) {
  elsewhere.routes['/'] = `<!doctype html><html lang="en"><title>Mine</title><link rel="icon" href="data:,">
    <body>${body}</body></html>`
  return openPage(chromium, `${elsewhere.url}/`)
}

const withScript = (body: string) => `<script async src="${serving.free}/page-preview.js"></script>${body}`

/** The image's own width, once it has loaded. */
const imageWidth = async (page: Page, selector = 'img') => {
  const width = await page.waitForFunction(
    (selector) => {
      const image = document.querySelector<HTMLImageElement>(selector)
      return image?.complete && image.naturalWidth
    },
    { timeout: 10_000 },
    selector,
  )
  return width.jsonValue()
}

/** What the first preview of a page shows, once its image has loaded. */
async function untilCard(page: Page) {
  const card = await page.waitForFunction(
    () => {
      const shadow = document.querySelector('page-preview')?.shadowRoot
      const root = shadow?.querySelector<HTMLElement>('[data-status=ready]')
      const image = shadow?.querySelector<HTMLImageElement>('img.pp-image:not([data-pending])')
      return (
        image?.complete && {
          layout: root?.dataset.layout,
          title: shadow?.querySelector('.pp-title')?.textContent,
          imageSize: `${image.getAttribute('width')} × ${image.getAttribute('height')}`,
        }
      )
    },
    { timeout: 10_000 },
  )
  return card.jsonValue()
}

const FULL = { layout: 'card', title: 'A red page', imageSize: '2560 × 1600' }

describe('without a script, a page shows the screenshot', () => {
  it.each([
    ['an image', 'html/image.html', 640],
    ['a <picture> with dark and small variants', 'html/picture.html', 2560],
  ])('as %s', async (_, path, width) => {
    const { page, complaints } = await show(await recipe(path))
    expect(await imageWidth(page)).toBe(width)
    expect(await page.$eval('a', (link) => link.href)).toBe(`${site.url}/`)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('as an image in Markdown', async () => {
    const html = await unified()
      .use(remarkParse)
      .use(remarkRehype)
      .use(rehypeStringify)
      .process(await recipe('html/markdown.md'))
    const { page } = await show(String(html))
    expect(await imageWidth(page, `a[href="${site.url}/"] > img[alt=Example]`)).toBe(2560)
    await page.close()
  })

  it('as a frame with the whole card', async () => {
    const { page, complaints } = await show(await recipe('html/frame.html'))
    const frame = await page.waitForFrame((frame) => frame.url().includes('embed=html'))
    await frame.waitForFunction(() => document.querySelector<HTMLImageElement>('img.pp-image')?.naturalWidth)
    expect(await frame.$eval('img.pp-image', (image) => image.currentSrc)).toContain('?w=640')
    expect(await frame.$eval('.pp-title', (title) => title.textContent)).toBe('A red page')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('as the photo that a site with oEmbed discovery embeds', async () => {
    const cardUrl = /src="([^"]+)"/.exec(await recipe('html/frame.html'))![1]!.replaceAll('&amp;', '&')
    const card = await (await fetch(cardUrl)).text()
    const link = /<link[^>]+type="application\/json\+oembed"[^>]+href="([^"]+)"/.exec(card)![1]!
    const response = await fetch(link.replaceAll('&amp;', '&'))
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const photo = (await response.json()) as { type: string; url: string; width: number; height: number }
    expect(photo).toMatchObject({ version: '1.0', type: 'photo', title: 'A red page' })
    const { page } = await show(`<img src="${photo.url}" width="${photo.width}" height="${photo.height}" alt="">`)
    expect(await imageWidth(page)).toBe(photo.width)
    await page.close()
  })
})

describe('the element', () => {
  it('is written by hand', async () => {
    const { page, complaints } = await show(await recipe('html/element.html'))
    expect(await untilCard(page)).toEqual(FULL)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is written by a shortcode of Eleventy, which escapes its arguments', async () => {
    const input = join(serving.dataDir, 'eleventy')
    const title = `Tom & "Jerry" <b>`
    await mkdir(input)
    await writeFile(join(input, 'page.njk'), `{% preview "${site.url}/", ${JSON.stringify(title)} %}`)
    const eleventy = new Eleventy(input, join(serving.dataDir, 'eleventy-out'), {
      configPath: join(recipes, 'eleventy/eleventy.config.js'),
      quietMode: true,
    })
    const pages = await eleventy.toJSON()
    const html = pages.find(({ inputPath }) => inputPath.endsWith('page.njk'))!.content
    const { page } = await show(withScript(html))
    expect(await page.$eval('page-preview a', (link) => link.textContent)).toBe(title)
    expect(await untilCard(page)).toEqual(FULL)
    await page.close()
  })

  it('is written by a plugin of remark, for a link that is a paragraph of its own', async () => {
    const { remarkPagePreview } = (await import(join(recipes, 'remark/remark-page-preview.js'))) as {
      remarkPagePreview: Plugin
    }
    const html = await unified()
      .use(remarkParse)
      .use(remarkPagePreview)
      .use(remarkRehype)
      .use(rehypeStringify)
      .process(`[Example](${site.url}/)\n\nNot [this one](${site.url}/) though.\n\n- > [Quoted](${site.url}/)`)
    const { page } = await show(withScript(String(html)))
    expect(await page.$$eval('page-preview', (all) => all.length)).toBe(2)
    expect(await untilCard(page)).toEqual(FULL)
    expect(await page.$eval('p a', (link) => link.textContent)).toBe('this one')
    await page.close()
  })
})

describe('a component of another framework', () => {
  beforeAll(async () => {
    for (const [path, script] of await bundleRecipes())
      elsewhere.routes[path] = (_, response) =>
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
  })

  const open = async (framework: string) => {
    const opened = await show(withScript(`<main></main><script type="module" src="/${framework}.js"></script>`))
    await opened.page.waitForFunction(() => 'mount' in window)
    return opened
  }
  const mount = (page: Page, url: string) =>
    page.evaluate((url) => {
      Object.assign(window, {
        unmount: Reflect.get(window, 'mount')(document.querySelector('main'), { url, title: 'Mine' }),
      })
    }, url)

  it.each(frameworks)(
    'of %s passes properties and attributes to the element, and receives its events',
    async (framework) => {
      const { page, complaints } = await open(framework)
      await mount(page, `${site.url}/`)
      expect(await untilCard(page)).toEqual({ ...FULL, imageSize: '640 × 400' })
      await page.waitForFunction(() => document.querySelector('output')?.textContent === 'A red page')
      await page.click('button')
      await page.waitForFunction(() =>
        document.querySelector('page-preview')?.shadowRoot?.querySelector('[data-status=ready][data-layout=row]'),
      )
      // A second time, because the element is defined from the start now.
      await page.evaluate(() => Reflect.get(window, 'unmount')())
      expect(await page.$('page-preview')).toBeNull()
      await mount(page, `${site.url}/`)
      expect(await untilCard(page)).toEqual({ ...FULL, imageSize: '640 × 400' })
      expect(complaints).toEqual([])
      await page.close()
    },
  )

  it.each(frameworks)('of %s aborts the request when it is unmounted', async (framework) => {
    const { page } = await open(framework)
    const isPreviewRequest = (request: HTTPRequest) =>
      request.url().includes('hanging') && !request.url().includes('embed=')
    const requested = page.waitForRequest(isPreviewRequest)
    await mount(page, `${site.url}/hanging`)
    await requested
    const failure = new Promise<string | undefined>((resolve) => {
      page.on('requestfailed', (request) => isPreviewRequest(request) && resolve(request.failure()?.errorText))
    })
    await page.evaluate(() => Reflect.get(window, 'unmount')())
    expect(await failure).toBe('net::ERR_ABORTED')
    await page.close()
  })
})
