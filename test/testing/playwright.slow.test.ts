// Covers the fake service in a browser that Playwright controls.
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createFakeService } from '../../src/testing/index.js'

const A = 'https://a.example'
const service = createFakeService(
  { [A]: { title: 'Tides', screenshot: { width: 1280, height: 800 } }, 'https://b.example': 'EFATALCLIENT' },
  { images: 'served' },
)

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] })
})
afterAll(() => browser.close())
beforeEach(async () => {
  page = await browser.newPage()
  await page.route('**/*', (route) => route.fulfill({ body: '<!doctype html>', contentType: 'text/html' }))
  await page.route((url) => url.pathname.startsWith('/page-preview'), service.route)
  await page.goto('http://app.test/')
})

const title = (url: string) =>
  page.evaluate(async (url) => {
    const response = await fetch(`/page-preview?url=${url}`).catch(String)
    return typeof response === 'string' ? response : ((await response.json()) as { data: { title: string } }).data.title
  }, url)

it('responds to the requests of a page', async () => {
  expect(await title(A)).toBe('Tides')
  expect(await title('https://b.example')).toContain('Failed to fetch')
})

it('responds to the requests of images', async () => {
  const widths = await page.evaluate(async (url) => {
    const query = `/page-preview?url=${url}&screenshot=true`
    const { data } = (await (await fetch(query)).json()) as { data: { screenshot: { url: string } } }
    const sources = [data.screenshot.url, `${data.screenshot.url}?w=640`, `${query}&embed=screenshot.url`]
    const images = sources.map((src) => Object.assign(new Image(), { src }))
    await Promise.all(images.map((image) => image.decode()))
    return images.map((image) => image.naturalWidth)
  }, A)
  expect(widths).toEqual([1280, 640, 1280])
})
