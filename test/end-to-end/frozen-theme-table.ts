import sharp from 'sharp'
import type { Browser } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { freezeHtml, type FrozenImage } from '../../src/server/freeze/markup/index.js'
import { localSite, type Route } from '../local-site.js'
import { DATA, PREVIEW } from '../server/freeze/markup/freeze-test.js'
import { themePages, type Theme } from './theme-pages.js'

const CARD = '<page-preview url="https://example.com/" screenshot color-schemes="light dark"></page-preview>'

/** Tests which of two pictures a frozen card loads on each page, in a browser that has a system theme. */
export function testFrozenThemes(system: Theme, open: () => Promise<Browser>): void {
  it(`loads the picture that suits its page alone, on a ${system} system`, async () => {
    const site = await localSite({ '/light.png': await image('#f8e0a0'), '/dark.png': await image('#203050') })
    const browser = await open()
    try {
      const page = await browser.newPage()
      const isChrome = (await browser.version()).includes('Chrome')
      if (isChrome) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: system }])
      const loaded: object[] = []
      const wanted: object[] = []
      for (const themePage of themePages) {
        const { name, html: attributes = '', expected, isPaintedOnly } = themePage
        // A controlled Firefox, unlike others, lays pages out before their stylesheets have loaded.
        const options = { resolve, assets: '/', inlineStyles: !isChrome }
        const { html, files } = await freezeHtml(pageWith(themePage), options)
        site.routes['/'] = typed('text/html', html)
        for (const file of files) site.routes[`/${file.name}`] = typed('text/css', file.text)
        site.requests.length = 0
        await page.goto(`${site.url}/`)
        const images = () => site.requests.flatMap((request) => /\/(\w+)\.png/.exec(request)?.[1] ?? [])
        await expect.poll(images, { message: name, timeout: 20_000 }).not.toEqual([])
        await page.waitForNetworkIdle()
        loaded.push({
          name,
          images: images(),
          isTall: await page.$eval('.pp-media', ({ clientHeight }) => clientHeight > 50),
        })
        // Style queries tell the stylesheet what `color-scheme` is; without them it knows attributes and classes.
        const known = isChrome || /data-theme="(light|dark)|^theme|class/.test(attributes)
        const theme = !known || (!isPaintedOnly && expected === 'system') ? system : isPaintedOnly ? 'light' : expected
        wanted.push({ name, images: [theme], isTall: true })
      }
      expect(loaded).toEqual(wanted)
    } finally {
      await browser.close()
      await site.close()
    }
  })
}

const pageWith = ({ html = '', styles = '', meta, body = 'CARD' }: (typeof themePages)[number]) =>
  `<!doctype html><html lang="en" ${html}><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
  ${meta ? `<meta name="color-scheme" content="${meta}">` : ''}<style>${styles}</style></head><body>${body.replace('CARD', CARD)}</body></html>`

const resolve = () =>
  Promise.resolve({
    ...PREVIEW,
    data: { ...DATA, logo: null },
    icon: undefined,
    image: { ...fileNamed('light.png'), isScreenshot: true },
    darkImage: fileNamed('dark.png'),
  })

const fileNamed = (name: string): FrozenImage => ({
  width: 640,
  height: 400,
  files: [{ name, type: 'png', width: 640 }],
})

async function image(background: string): Promise<Route> {
  const picture = sharp({ create: { width: 640, height: 400, channels: 3, background } })
  return typed('image/png', await picture.png().toBuffer())
}

const typed =
  (type: string, body: string | Buffer): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
