import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { pageSite, send } from '../page-site.js'

const SITE = 'https://site.example'
const logos = (html: string) => findCandidates(parseHtml(html, `${SITE}/news/`)).logo
const best = (html: string) => logos(html)[0]
const icon = (href: string, attributes = '') => `<link rel="icon" href="${href}" ${attributes}>`
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEX/AAAZ4gk3AAAADElEQVQI12NgIA0AAAAwAAHHqoWOAAAAAElFTkSuQmCC'
const EMOJI =
  'data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 100 100%22><text y=%22.9em%22 font-size=%2290%22>🎈</text></svg>'

describe('an icon in a data URL', () => {
  it.each<[what: string, html: string, url: string | undefined]>([
    ['a PNG', icon(PNG), PNG],
    ['an emoji', icon(EMOJI), EMOJI],
    ['an emoji as a shortcut icon', `<link rel="shortcut icon" href='${EMOJI}'>`, EMOJI],
    ['a PNG beside the file that browsers request by default', icon(PNG) + '<a href="/favicon.ico">x</a>', PNG],
    ['a touch icon beside it', icon(PNG) + '<link rel="apple-touch-icon" href="/touch.png">', `${SITE}/touch.png`],
    ['no icon', icon('data:,'), undefined],
    ['no icon, by an empty type', icon('data:;base64,='), undefined],
    ['no icon, by an empty image', icon('data:image/png;base64,'), undefined],
    ['another document', icon('data:text/html,<b>x</b>'), undefined],
  ])('%s', (_, html, url) => expect(best(html)).toBe(url))

  it('is no image of the page', () => {
    const html = `${icon(PNG)}<meta property="og:image" content="${PNG}"><article><img src="${PNG}"></article>`
    expect(findCandidates(parseHtml(html, SITE)).image).toEqual([])
  })

  it('has its type and size, without a request', async () => {
    const site = await pageSite({ '/png': icon(PNG), '/svg': icon(EMOJI), '/none': icon('data:,') })
    const logoOf = async (path: string) => (await site.read({ ping: true, meta: { logo: true } }, path)).data.logo
    expect(await logoOf('/png')).toMatchObject({ url: PNG, type: 'png', width: 16, height: 16 })
    expect(await logoOf('/svg')).toMatchObject({ url: EMOJI, type: 'svg' })
    expect(await logoOf('/none')).toBeNull()
    expect(site.requests).toEqual(['GET /png', 'GET /svg', 'GET /none'])
  })
})

describe('an icon for a colour scheme', () => {
  const dark = 'media="(prefers-color-scheme: dark)"'
  it.each<[what: string, html: string, path: string]>([
    ['the light one of two', icon('/d.png', dark) + icon('/l.png', 'media="(prefers-color-scheme: light)"'), '/l.png'],
    ['the one without a scheme', icon('/d.png', dark) + icon('/any.png'), '/any.png'],
    ['a smaller one', icon('/d.png', `${dark} sizes="192x192"`) + icon('/l.png', 'sizes="96x96"'), '/l.png'],
    ['a vector', icon('/d.svg', dark) + icon('/l.svg', 'media="(prefers-color-scheme:light)"'), '/l.svg'],
    ['the only one', icon('/d.png', dark), '/d.png'],
    ['one that excludes the dark scheme', icon('/n.png', 'media="not all and (prefers-color-scheme: dark)"'), '/n.png'],
    ['GitHub’s', icon('/favicon.png', 'data-base-href="x"') + icon('/favicon-dark.svg', dark), '/favicon.png'],
  ])('%s', (_, html, path) => expect(best(html)).toBe(SITE + path))
})

describe('an icon by its size', () => {
  it.each<[what: string, html: string, path: string]>([
    ['the largest', icon('/16.png', 'sizes="16x16"') + icon('/96.png', 'sizes="96x96"'), '/96.png'],
    [
      'of several in one file',
      icon('/i.ico', 'sizes="16x16 32x32 256x256"') + icon('/96.png', 'sizes="96x96"'),
      '/i.ico',
    ],
    [
      'a vector of any size before small bitmaps',
      icon('/i.svg', 'sizes="any"') + icon('/32.png', 'sizes="32x32"'),
      '/i.svg',
    ],
    ['in capitals', icon('/16.png', 'sizes="16X16"') + icon('/128.png', 'sizes="128X128"'), '/128.png'],
    ['in the name of the file', icon('/favicon-16x16.png') + icon('/favicon-96x96.png'), '/favicon-96x96.png'],
    ['a square one before a wide one', icon('/w.png', 'sizes="300x90"') + icon('/s.png', 'sizes="64x64"'), '/s.png'],
    [
      'a touch icon before icons without a size',
      icon('/f.png') + '<link rel="apple-touch-icon" href="/t.png">',
      '/t.png',
    ],
    [
      'a touch icon of the phones of today before one without a size',
      '<link rel="apple-touch-icon" href="/57.png"><link rel="apple-touch-icon" sizes="152x152" href="/152.png">',
      '/152.png',
    ],
    ['never a mask', '<link rel="mask-icon" href="/m.svg" color="red">' + icon('/f.png'), '/f.png'],
    ['the default one if none is declared', '<title>Page</title>', '/favicon.ico'],
  ])('%s', (_, html, path) => expect(best(html)).toBe(SITE + path))
})

describe('an icon that is damaged', () => {
  const EMPTY_ICO = Buffer.from([0, 0, 1, 0, 0, 0])
  it.each<[what: string, bytes: Buffer, type: string]>([
    ['no bytes', Buffer.alloc(0), 'image/x-icon'],
    ['no entries', EMPTY_ICO, 'image/vnd.microsoft.icon'],
    [
      'half of its bytes',
      Buffer.concat([
        EMPTY_ICO.fill(1, 4, 5),
        Buffer.from([16, 16, 0, 0, 1, 0, 32, 0, 104, 4, 0, 0, 22, 0, 0, 0]),
        Buffer.alloc(90),
      ]),
      'image/x-icon',
    ],
    [
      'the page of a single-page app',
      Buffer.from('<!doctype html><title>App</title><div id="root"></div>'),
      'image/x-icon',
    ],
    ['a page as a page', Buffer.from('<!doctype html><title>Not found</title>'), 'text/html'],
    ['a single pixel', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), 'image/gif'],
  ])('gives way to the next: %s', async (_, bytes, type) => {
    const png = Buffer.from(PNG.split(',')[1]!, 'base64')
    const html = icon('/broken.ico', 'sizes="96x96"') + icon('/whole.png', 'sizes="16x16"')
    const site = await pageSite({
      '/': html,
      '/broken.ico': send(bytes, { 'content-type': type }),
      '/whole.png': send(png, { 'content-type': 'image/png' }),
    })
    const { data } = await site.read({ ping: true, meta: { logo: true } })
    expect(data.logo?.url).toBe(`${site.url}/whole.png`)
  })
})
