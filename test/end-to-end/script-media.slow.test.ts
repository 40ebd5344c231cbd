// Covers that the built script requests images from the service alone.
import { readFile } from 'node:fs/promises'
import type { Page } from 'puppeteer-core'
import { beforeAll, expect, it } from 'vitest'
import { scriptStage, states } from './script-stage.js'

const FOUND = `<link rel="icon" href="/icon.svg"><meta property="og:image" content="/picture.png">`
const stage = scriptStage({ '/page': `<!doctype html><title>A page</title>${FOUND}` })
beforeAll(async () => {
  const picture = await readFile('test/react/images/old.png')
  const { routes } = stage().site
  routes['/icon.svg'] = (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(ICON)
  routes['/picture.png'] = (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
})

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="16"/></svg>'

it.each(['', 'screenshot', 'force', 'screenshot embed'])(
  'loads image and icon of a page from the service alone: <page-preview %s>',
  async (words) => {
    const { site, serving, elsewhere } = stage()
    const policy = ['script-src', 'img-src', 'connect-src'].map((name) => `${name} ${serving.free}`).join('; ')
    elsewhere.routes['/'] = (_, response) =>
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': `default-src 'none'; ${policy}`,
      }).end(`<!doctype html><title>Mine</title><link rel="icon" href="${serving.free}/none.ico">
          <script async src="${serving.free}/page-preview.js"></script>
          <page-preview url="${site.url}/page" ${words}><a href="${site.url}/page">A page</a></page-preview>`)
    const { page, complaints, requests } = await stage().open('/')
    await expect.poll(() => states(page), { timeout: 25_000 }).toEqual(['ready'])
    const shown = { from: serving.free, isShown: true }
    await expect.poll(() => pictures(page)).toEqual([shown, shown])
    expect(complaints).toEqual([])
    // The images do not make the service read the page again.
    expect(requests.filter(({ searchParams }) => searchParams.has('force'))).toHaveLength(words === 'force' ? 1 : 0)
  },
)

const pictures = (page: Page) =>
  page.$eval('page-preview', ({ shadowRoot }) =>
    Array.from(shadowRoot!.querySelectorAll('img'), ({ src, complete, naturalWidth }) => ({
      from: new URL(src).origin,
      isShown: complete && naturalWidth > 0,
    })),
  )
