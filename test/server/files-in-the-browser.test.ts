// Covers links to files, from the real browser to the response.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { makePdf, protectedPdf } from './images/make-pdf.js'

let site: LocalSite
let service: Service

const file =
  (body: Buffer | string, type: string, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body)

/** Red above, blue below: a page of paper that is taller than the viewport. */
const PDF = makePdf({
  info: '/Title(Tide table)',
  mediaBox: '0 0 100 200',
  content: '1 0 0 rg 0 100 100 100 re f 0 0 1 rg 0 0 100 100 re f',
})

beforeAll(async () => {
  const icon = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  site = await localSite({
    '/tides.pdf': file(PDF, 'application/pdf'),
    '/download': file(PDF, 'application/octet-stream', { 'content-disposition': 'attachment; filename="tides.pdf"' }),
    '/moved': (_, response) => void response.writeHead(302, { location: '/tides.pdf' }).end(),
    '/locked.pdf': file(protectedPdf(), 'application/pdf'),
    '/tides.zip': file('PK', 'application/zip'),
    '/gone.zip': (_, response) => void response.writeHead(404, { 'content-type': 'application/zip' }).end('PK'),
    '/empty': (_, response) => void response.writeHead(204).end(),
    '/icon.png': file(icon, 'image/png'),
    '/rows.csv': file('a,b\n1,2', 'text/csv'),
    '/tides.json': file(
      '{"title":"Tides","html":"<script>document.body.style.background=\'red\'</script>"}',
      'application/json',
    ),
    '/feed': file(
      '<rss><channel><title>News</title><item><title>One</title></item></channel></rss>',
      'application/rss+xml',
    ),
    '/404.txt': file('404 Not Found\n\nThe page you are looking for does not exist.', 'text/plain'),
    '/styled.xml': file('<?xml-stylesheet href="/a.css"?><p>Styled</p>', 'application/xml'),
    '/a.css': file('p{display:block;background:#ff0000;height:4000px}', 'text/css'),
  })
  service = createService({ allowTargets: [site.host], warm: true })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const SIZE = { 'viewport.width': '200', 'viewport.height': '100', 'viewport.deviceScaleFactor': '1' }

async function capture(path: string, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams({
    url: site.url + path,
    screenshot: 'true',
    'screenshot.type': 'png',
    ...SIZE,
    ...parameters,
  })
  const response = await service.fetch(new Request(`http://previews.test/?${query}`))
  const { data, warnings = [], statusCode } = (await response.json()) as PageResponse
  const { screenshot } = data
  const bytes = screenshot && Buffer.from(await (await service.fetch(new Request(screenshot.url))).arrayBuffer())
  const pixelAt = async (left: number, top: number) => {
    const pixel = await sharp(bytes!).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()
    return [...pixel]
  }
  return { data, warnings, statusCode, pixelAt }
}

const [RED, BLUE, GREEN, WHITE] = [
  [255, 0, 0],
  [0, 0, 255],
  [0, 255, 0],
  [255, 255, 255],
]

describe('the screenshot of a PDF', () => {
  it.each(['/tides.pdf', '/download', '/moved', '/tides.pdf#page=2'])('shows its first page: %s', async (path) => {
    const { data, statusCode, pixelAt, warnings } = await capture(path)
    expect(data).toMatchObject({ title: 'Tide table', pages: 1, screenshot: { width: 200, height: 100 } })
    expect({ pixel: await pixelAt(100, 50), statusCode, warnings }).toEqual({
      pixel: RED,
      statusCode: 200,
      warnings: [],
    })
  })

  it('is as tall as the page of paper with fullPage', async () => {
    const { data, pixelAt } = await capture('/tides.pdf', { 'screenshot.fullPage': 'true' })
    expect(data.screenshot).toMatchObject({ width: 200, height: 400 })
    expect(await pixelAt(100, 350)).toEqual(BLUE)
  })

  it('shows the first page too if it was to be interacted with', async () => {
    const { warnings, pixelAt } = await capture('/tides.pdf', { element: 'h1', click: 'button', waitForSelector: 'p' })
    expect(warnings).toEqual([
      'The page is a PDF, whose first page is shown; element, click, waitForSelector had no effect.',
    ])
    expect(await pixelAt(100, 50)).toEqual(RED)
  })

  it('is none if it cannot be drawn', async () => {
    const { data, warnings } = await capture('/locked.pdf')
    expect({ title: data.title, screenshot: data.screenshot, warnings }).toEqual({
      title: 'locked.pdf',
      screenshot: null,
      warnings: ['The PDF is protected with a password, so its first page is not shown.'],
    })
  })
})

describe('the screenshot of another file', () => {
  it.each([
    ['light', 255],
    ['dark', 18],
  ])('shows an image on the background of the %s theme', async (colorScheme, brightness) => {
    const { pixelAt } = await capture('/icon.png', { colorScheme })
    expect(await pixelAt(100, 50)).toEqual(GREEN)
    expect(await pixelAt(2, 2)).toEqual([brightness, brightness, brightness])
  })

  it.each(['/rows.csv', '/tides.json', '/feed', '/404.txt'])(
    'shows its text on white, and runs nothing: %s',
    async (path) => {
      const { data, pixelAt, warnings } = await capture(path)
      expect({ pixel: await pixelAt(2, 2), warnings, state: data.state }).toEqual({
        pixel: WHITE,
        warnings: [],
        state: undefined,
      })
      expect(data.screenshot).toBeTruthy()
    },
  )

  it('shows elements of a text that are asked for', async () => {
    const { data } = await capture('/rows.csv', { element: 'td' })
    expect(data.screenshot!.width).toBeLessThan(100)
  })

  it('is none if browsers download it', async () => {
    const { data, warnings } = await capture('/tides.zip')
    expect({ title: data.title, screenshot: data.screenshot, warnings }).toEqual({
      title: 'tides.zip',
      screenshot: null,
      warnings: ['The page is a file that browsers download, so there is no screenshot of it.'],
    })
  })

  it('leaves XML with a style sheet to the browser', async () => {
    const { pixelAt } = await capture('/styled.xml', { adblock: 'false' })
    expect(await pixelAt(100, 50)).toEqual(RED)
  })

  it.each(['/gone.zip', '/empty'])('is an error if there is no file: %s', async (path) => {
    const query = new URLSearchParams({ url: site.url + path, screenshot: 'true' })
    const response = await service.fetch(new Request(`http://previews.test/?${query}`))
    expect(await response.json()).toMatchObject({ code: 'EUNREACHABLE' })
  })

  it.each([
    ['/tides.zip', 404],
    ['/tides.pdf', 200],
    ['/locked.pdf', 404],
  ])('is embedded if there is one: %s', async (path, status) => {
    const query = new URLSearchParams({ url: site.url + path, screenshot: 'true', embed: 'screenshot.url' })
    const response = await service.fetch(new Request(`http://previews.test/?${query}`))
    expect(response.status).toBe(status)
    if (status === 404)
      expect(await response.json()).toMatchObject({
        code: 'ENOEMBED',
        data: { embed: 'there is no screenshot of this file' },
      })
  })
})
