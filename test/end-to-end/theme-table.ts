import { QueryClient } from '@tanstack/react-query'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { themePages, type Theme } from './theme-pages.js'

/** By the script tag, or as React renders it on a server: by styles alone. */
const cardKinds = ['script', 'styles'] as const
type CardKind = (typeof cardKinds)[number]

const DIST = join(import.meta.dirname, '../../dist')
const PICTURE = { x: 0, y: 0, width: 300, height: 120 }
const PREVIEW = {
  url: 'https://example.com/',
  data: { title: 'Tide tables', description: 'When the water is high.', url: 'https://example.com/' },
  layout: 'row',
  loading: 'eager',
} as const

/** Tests each page with each kind of card in a browser that has a system theme, and draws a picture of them all. */
export function testThemeTable(system: Theme, open: () => Promise<Browser>): void {
  it.each(cardKinds)(`gives a card by %s the theme of its page, on a ${system} system`, async (kind) => {
    const [site, browser] = [await serveThemePages(), await open()]
    try {
      const page = await browser.newPage()
      if ((await browser.version()).includes('Chrome'))
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: system }])
      const rows: TableRow[] = []
      for (const [index, { name, expected, isPaintedOnly }] of themePages.entries()) {
        await page.goto(`${site.url}/${kind}/${index}`)
        await expect.poll(() => readCard(page), { timeout: 20_000 }).toBeDefined()
        const { theme, contrast } = (await readCard(page))!
        const picture = await page.screenshot({ encoding: 'base64', clip: PICTURE })
        const wanted = isPaintedOnly && kind === 'styles' ? 'light' : expected === 'system' ? system : expected
        rows.push({ name, theme, wanted, isReadable: contrast >= 4.5, picture })
      }
      await drawTable(page, rows, `${(await browser.version()).split('/')[0]}-${kind}-${system}`)
      expect(rows.map(withoutPicture)).toEqual(
        rows.map((row) => withoutPicture({ ...row, theme: row.wanted, isReadable: true })),
      )
    } finally {
      await browser.close()
      await site.close()
    }
  })
}

interface TableRow {
  name: string
  theme: Theme
  wanted: Theme
  isReadable: boolean
  picture: string
}

const withoutPicture = ({ name, theme, isReadable }: TableRow) => ({ name, theme, isReadable })

/** Serves each page at `/KIND/INDEX`. */
async function serveThemePages(): Promise<LocalSite> {
  const cards: Record<CardKind, { head: string; card: string }> = {
    styles: {
      head: `<style>${await appStyles()}</style>`,
      card: renderToString(
        createElement(PagePreviewProvider, { queryClient: new QueryClient() }, createElement(PagePreview, PREVIEW)),
      ),
    },
    script: {
      head: `<script>PagePreview = { q: [['render', '#place', ${JSON.stringify(PREVIEW)}]] }</script>
        <script defer src="/page-preview.js"></script>`,
      card: '<div id="place"></div>',
    },
  }
  const document = (kind: CardKind, { html = '', styles = '', meta, body = 'CARD' }: (typeof themePages)[number]) =>
    `<!doctype html><html lang="en" ${html}><head><meta charset="utf-8"><title>A page</title>
    <link rel="icon" href="data:,">${meta ? `<meta name="color-scheme" content="${meta}">` : ''}
    <style>body { width: 276px; margin: 0; padding: 12px; font: 13px sans-serif } ${styles}</style>${cards[kind].head}</head>
    <body>${body.replace('CARD', () => cards[kind].card)}</body></html>`
  const pages = cardKinds.flatMap((kind) =>
    themePages.map((page, index) => [`/${kind}/${index}`, document(kind, page)] as const),
  )
  const scripts = await Promise.all(
    (await readdir(DIST))
      .filter((name) => /^page-preview\..*(js|css)$/.test(name))
      .map(async (name) => [`/${name}`, asFile(name, await readFile(join(DIST, name)))] as const),
  )
  return localSite(Object.fromEntries([...pages, ...scripts]))
}

const asFile =
  (name: string, content: Buffer): Route =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': name.endsWith('css') ? 'text/css' : 'text/javascript', ...CORS })
      .end(content)

const CORS = { 'access-control-allow-origin': '*' }

/** The stylesheet as an app has it whose build supports older browsers, and replaces what these do not know. */
async function appStyles(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      cssTarget: ['chrome111', 'safari16.4'],
      rolldownOptions: { input: join(DIST, 'styles.css') },
    },
  })) as Rolldown.RolldownOutput
  const file = output.find(({ fileName }) => fileName.endsWith('.css'))
  if (file?.type !== 'asset') throw new Error('The build has no stylesheet.')
  return String(file.source)
}

/** The theme of the card of an open page, and the lowest contrast of its texts; `undefined` until it is there. */
const readCard = (page: Page): Promise<{ theme: Theme; contrast: number } | undefined> =>
  page.evaluate(() => {
    const root = document.querySelector('page-preview')?.shadowRoot ?? document
    const card = root.querySelector('.page-preview[data-status=ready]')
    if (!card) return undefined
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
    const luminance = (colour: string) => {
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((channel) =>
        channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const paper = luminance(getComputedStyle(card).backgroundColor)
    const contrasts = ['.pp-title', '.pp-description', '.pp-host'].map((part) => {
      const text = luminance(getComputedStyle(root.querySelector(part)!).color)
      return (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05)
    })
    return { theme: paper < 0.18 ? ('dark' as const) : ('light' as const), contrast: Math.min(...contrasts) }
  })

/** Writes the pages as one picture, for people to look at, into the folder that `THEME_PICTURES` names. */
async function drawTable(page: Page, rows: readonly TableRow[], name: string): Promise<void> {
  const folder = process.env.THEME_PICTURES
  if (!folder) return
  const figures = rows.map(
    (row) =>
      `<figure><img src="data:image/png;base64,${row.picture}"><figcaption>${row.name}: ${row.theme}</figcaption></figure>`,
  )
  await page.setContent(`<style>body { display: grid; grid: auto / repeat(4, 1fr); font: 13px sans-serif }
    * { margin: 0 } figure { padding: 4px } img { width: 100%; display: block }</style>${figures.join('')}`)
  await writeFile(join(folder, `${name}.png`), await page.screenshot({ fullPage: true }))
}
