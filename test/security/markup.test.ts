// Covers what a browser makes of responses whose content a page or client chooses: no document of the service's origin but its own.
import { JSDOM } from 'jsdom'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  `' onmouseover='alert(1)`,
  '" onfocus="alert(1)" autofocus="',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</textarea><img src=x onerror=alert(1)>',
  '<!--><script>alert(1)</script>-->',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<meta http-equiv=refresh content=0;url=javascript:alert(1)>',
  '<base href=//evil.test/>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '\u202e<script>alert(1)</script>',
  '${alert(1)}{{constructor.constructor("alert(1)")()}}',
  'x;}</style><style>*{background:url(//evil.test)}',
  ']]><script>alert(1)</script>',
]
const FIELDS = ['title', 'description', 'author', 'publisher', 'lang', 'date', 'url']

/** Types and bytes that a page can give as its image. */
const DOCUMENT = '<html><script>alert(1)</script></html>'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const GIF = 'GIF89a\x01\x00\x01\x00\x00\x00\x00/*<script>alert(1)</script>*/'
const FILES: Record<string, [type: string, body: string]> = {
  'HTML as HTML': ['text/html', DOCUMENT],
  'HTML as PNG': ['image/png', DOCUMENT],
  'HTML as SVG': ['image/svg+xml', DOCUMENT],
  'HTML without a type': ['', DOCUMENT],
  'HTML as an unknown image': ['image/x', DOCUMENT],
  'HTML behind the head of a GIF': ['image/gif', GIF],
  'HTML behind the head of a GIF, as HTML': ['text/html', GIF],
  'SVG as SVG': ['image/svg+xml', SVG],
  'SVG as PNG': ['image/png', SVG],
  'SVG as XML': ['text/xml', SVG],
  XHTML: ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'],
  'a script': ['text/javascript', 'alert(1)'],
  'a PDF': ['application/pdf', '%PDF-1.4 alert(1)'],
  'a stylesheet': ['text/css', '* { background: url(//evil.test) }'],
  multipart: ['multipart/x-mixed-replace; boundary=a', `--a\r\ncontent-type: text/html\r\n\r\n${DOCUMENT}\r\n--a--`],
  'two types': ['image/png, text/html', DOCUMENT],
  'a type with a line break': ['image/png;\ttext/html', DOCUMENT],
}
const MEDIA = ['image', 'logo', 'audio', 'video']

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const pageOf = (text: string) =>
  `<html lang="${escaped(text)}"><title>${escaped(text)}</title>` +
  ['description', 'author', 'date', 'og:site_name', 'og:title', 'og:url', 'og:image', 'og:image:alt', 'og:video']
    .map((name) => `<meta name="${name}" property="${name}" content="${escaped(text)}">`)
    .join('') +
  `<link rel="icon" href="javascript:${escaped(text)}"><link rel="canonical" href="${escaped(text)}">`
const fileOf =
  ([type, body]: [string, string]): Route =>
  (_, response) =>
    void response.writeHead(200, type ? { 'content-type': type } : {}).end(Buffer.from(body, 'latin1'))

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService()
  const { routes, url } = service.site
  PAYLOADS.forEach((text, index) => (routes[`/text-${index}`] = pageOf(text)))
  Object.values(FILES).forEach((file, index) => {
    routes[`/file-${index}`] = fileOf(file)
    const target = `${url}/file-${index}`
    const inline = `data:${file[0]},${encodeURIComponent(file[1])}`
    routes[`/inline-${index}`] = `<title>Media</title><link rel="icon" href="${inline}">`
    routes[`/media-${index}`] =
      `<title>Media</title><link rel="icon" href="${target}"><meta property="og:image" content="${target}">` +
      `<meta property="og:audio" content="${target}"><meta property="og:video" content="${target}">`
  })
})
afterAll(() => service.stop())

/** Whether a browser that opens the response shows a document that may run scripts in the service's origin. */
function expectNoDocument({ headers }: Response): void {
  const type = headers.get('content-type') ?? ''
  expect(type).toMatch(/^(text\/plain|application\/json|image\/|audio\/|video\/)/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  if (!/svg|xml/.test(type)) return
  expect(headers.get('content-disposition')).toMatch(/^attachment/)
  expect(headers.get('content-security-policy')).toMatch(/sandbox.*default-src 'none'/)
}

function expectInertCard(html: string): void {
  const { document } = new JSDOM(html).window
  expect([
    ...document.querySelectorAll('script, iframe, object, embed, base, form, svg, math, meta[http-equiv]'),
  ]).toEqual([])
  for (const element of document.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^srcdoc$/)
      if (/^(href|src|style)$/.test(name)) expect(value).not.toMatch(/^\s*(javascript|data:text|vbscript)/i)
      if (name === 'style') expect(value).not.toMatch(/url\(/i)
    }
}

describe('markup', () => {
  it.each(PAYLOADS.map((text, index) => ({ text, index })))(
    'writes an inert card for $text',
    async ({ text, index }) => {
      for (const url of [`/text-${index}`, `/text-${index}#${encodeURIComponent(text)}`, `/text-${index}?${text}`]) {
        const response = await service.get({ url: service.site.url + url, embed: 'html' })
        const policy = response.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'")
        expect(policy).not.toContain('script-src')
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
        expectInertCard(await response.text())
      }
    },
  )

  it.each(PAYLOADS.map((text, index) => ({ text, index })))(
    'sends no field as a document: $text',
    async ({ index }) => {
      for (const embed of [...FIELDS, 'image.url', 'logo.url', 'video.url', 'image'])
        expectNoDocument(await service.get({ url: `${service.site.url}/text-${index}`, embed }))
    },
  )

  it.each(Object.keys(FILES).flatMap((name, index) => MEDIA.map((field) => ({ name, index, field }))))(
    'sends no document for embed=$field that is $name',
    async ({ index, field }) => {
      for (const parameters of [{}, { ping: 'false' }])
        expectNoDocument(
          await service.get({
            url: `${service.site.url}/media-${index}`,
            embed: `${field}.url`,
            ...parameters,
          } as Record<string, string>),
        )
    },
  )

  it.each(Object.keys(FILES).map((name, index) => ({ name, index })))(
    'sends no document for an icon in a data URL that is $name',
    async ({ index }) => {
      const url = `${service.site.url}/inline-${index}`
      for (const embed of ['logo.url', 'logo'])
        for (const ping of ['true', 'false']) expectNoDocument(await service.get({ url, embed, ping }))
      expectInertCard(await (await service.get({ url, embed: 'html' })).text())
    },
  )

  it.each(PAYLOADS)('repeats %s in no error that is a document', async (text) => {
    const paths = [
      `/${encodeURIComponent(text)}`,
      `/images/${encodeURIComponent(text)}`,
      `/?url=${encodeURIComponent(text)}`,
      `/?url=http://a.test&device=${encodeURIComponent(text)}`,
      `/oembed?url=${encodeURIComponent(text)}`,
      `/playground/${encodeURIComponent(text)}`,
      `/v1/${encodeURIComponent(text)}`,
    ]
    for (const path of paths) expectNoDocument(await fetch(new URL(path, service.url)))
  })

  it.each([
    ['JSON', '/?url=PAGE'],
    ['an error', '/?url=nowhere'],
    ['an error of an image', `/images/${'0'.repeat(64)}.jpg`],
    ['a screenshot', '/?url=PAGE&screenshot&embed=screenshot.url'],
    ['a card', '/?url=PAGE&embed=html'],
    ['an oEmbed photo', '/oembed?url=PAGE'],
    ['an error of oEmbed', '/oembed?url=nowhere'],
    ['the OpenAPI document', '/openapi.json'],
    ['the playground', '/playground/'],
    ['the page that explains errors', '/playground/errors.html'],
    ['the examples of the playground', '/playground/examples.json'],
    ['an error of the playground', '/playground/nowhere'],
    ['the script', '/page-preview.js'],
    ['the stylesheet', '/page-preview.css'],
    ['the metrics', '/metrics'],
    ['the state of health', '/healthz'],
    ['the state of readiness', '/readyz'],
    ['an unknown path', '/nowhere'],
    ['a method that is not supported', '/', { method: 'POST' }],
  ])('is not guessed by a browser: %s', async (_, path, init: RequestInit = {}) => {
    const url = new URL(path.replace('PAGE', encodeURIComponent(`${service.site.url}/text-0`)), service.url)
    for (const ifNoneMatch of ['"other"', '*']) {
      const response = await fetch(url, { ...init, headers: { 'if-none-match': ifNoneMatch }, redirect: 'manual' })
      await response.arrayBuffer()
      if (response.status !== 304) expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
    const pro = await fetch(new URL(url.pathname + url.search, service.proUrl), { ...init, redirect: 'manual' })
    await pro.arrayBuffer()
    expect(pro.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is not guessed by a browser: a request that is not HTTP', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET / HTTP/9\r\n\r\n')
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    expect(String(bytes)).toContain('x-content-type-options: nosniff')
    socket.destroy()
  })
})
