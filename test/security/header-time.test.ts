// Covers the time in which headers, heads of images, documents and responses from outside are read: each parser gets 64 kB.
import { describe, expect, it } from 'vitest'
import { pageResult, parseResponse } from '../../src/client/request.js'
import { callerOriginOf } from '../../src/proxy/access-rules.js'
import { createUrlRewriter } from '../../src/proxy/url-rewriter.js'
import { readBackground, type OverlayTools } from '../../src/server/browser/overlay.js'
import { allowedHosts } from '../../src/server/http/request-scopes.js'
import { identifyClient } from '../../src/server/budget/client-networks.js'
import { negotiateEncoding } from '../../src/server/http/content-coding.js'
import { matchesEtag } from '../../src/server/http/response-headers.js'
import { parseByteRange } from '../../src/server/http/response.js'
import { parseOembedRequest } from '../../src/server/http/oembed.js'
import { createRequestLog } from '../../src/server/log.js'
import { createGuard } from '../../src/server/network/index.js'
import { detectImageFormat } from '../../src/server/images/image-formats.js'
import { probeImage, readImageHead } from '../../src/server/images/read-image-head.js'
import { decodeImageUrl } from '../../src/server/page/data-url.js'
import { readImage } from '../../src/server/page/document/tag-image.js'
import { parseUrl, resolveIconUrl } from '../../src/server/page/values/resolve-url.js'
import { declaredFileType } from '../../src/server/media/media-file.js'
import { iconSize } from '../../src/server/page/document/index.js'
import { ALLOW_HOSTS_HEADER, checkHosts, parseHostList } from '../../src/query/help/index.js'
import { parseQuery } from '../../src/query/index.js'
import { recordingLog } from '../shared/recording-log.js'
import { slowestPumpedText, timeRatio } from './pumped-texts.js'

/** As multiples of what Node takes to split 64 kB of parameters. */
const MAX_RATIO = 100
const TEXT_CHARS = 64 * 1_024
const URL_TEXT = 'https://example.com/'

const { query } = parseQuery({ url: URL_TEXT })
/** Neither a browser nor a network: what is tested comes before. */
const background = { fetchImage: () => Promise.reject(new Error('no network')) } as unknown as OverlayTools
const urls = createUrlRewriter({ service: 'https://service.test', proxy: 'https://proxy.test' })
const bytesOf = (text: string) => Buffer.from(text, 'latin1')
/** As an HTTP server passes them on: a header is Latin-1 without control characters. */
const headers = (name: string, text: string) => new Headers({ [name]: text.replaceAll(/[^ -~\u00a0-\u00ff]/g, '?') })
const response = (name: string, text: string) => new Response('', { status: 503, headers: headers(name, text) })

const IMAGE_TOKENS = [
  // JPEG, PNG, GIF, BMP, WebP
  '\xff\xd8\xff',
  '\xff\xe0\0\x02',
  '\xff\xe1\0\x08Exif\0\0',
  '\xff\xc0\0\x11',
  '\xff',
  '\0\0',
  '\x89PNG\r\n\x1a\n',
  '\0\0\0\rIHDR',
  'GIF89a',
  'BM',
  'RIFF\xff\xff\0\0WEBP',
  'VP8X',
  'VP8L',
  // SVG
  '<svg ',
  '<svg>',
  '<?xml ',
  'viewBox="0 0 1 1"',
  'width="',
  '</svg>',
  '<!--',
  // ICO, ICNS, TIFF
  '\0\0\x01\0\xff\xff',
  'icns\0\0\xff\xff',
  'ic07\0\0\0\x08',
  'II*\0\b\0\0\0',
  'MM\0*\0\0\0\b',
  // AVIF, HEIC, JPEG XL, JPEG 2000
  '\0\0\0\x18ftypavif',
  '\0\0\0\x18ftypheic',
  '\0\0\0\x08meta',
  '\0\0\0\x08iprp',
  '\0\0\0\x08ispe',
  '\0\0\0\x08',
  '\0\0\0\x0cJXL \r\n\x87\n',
  '\0\0\0\x08jxlp',
  '\xff\x0a',
  '\0\0\0\x0cjP  \r\n\x87\n',
  // Photoshop, Netpbm
  '8BPS\0\x01',
  'P6\n',
  '#\n',
]

const PAGE = { baseUrl: URL_TEXT, url: URL_TEXT }
const parsers: Record<string, [parse: (text: string) => unknown, ...tokens: string[]]> = {
  'the head of an image': [(text) => readImageHead(bytesOf(text)), ...IMAGE_TOKENS],
  'the pixels of an image': [
    (text) => probeImage(bytesOf(text), { isWhole: true }),
    ...IMAGE_TOKENS,
    'IDAT',
    'eXIf',
    'irot',
    '<!doctype svg',
    '-->',
    '<?',
    '?>',
  ],
  'an image in a URL': [(text) => decodeImageUrl(`data:image/png,${text}`), '%', '%41', '#', ';base64,', '🗼'],
  'an image of a page': [
    (text) => readImage({ srcset: text, src: text, alt: text }),
    '/a.png',
    ' 9w',
    ',',
    ' ',
    '2x',
    '9',
  ],
  'the address of an image': [(text) => resolveIconUrl(text, PAGE), '&amp;', 'amp;', '&#038;', ' ', '/', '.png', '\n'],
  'the format of an image': [(text) => detectImageFormat(bytesOf(text)), ...IMAGE_TOKENS],
  'a content type': [(text) => declaredFileType(URL_TEXT, text, 'image'), 'image/', 'svg', '; charset='],
  'sizes of an icon': [(text) => iconSize(text, text), '16x16', 'x', '.svg'],
  'the address of a redirect': [
    (text) => parseUrl(text, URL_TEXT),
    'http://',
    '//',
    'xn--',
    '%CC%A7',
    '../',
    '@',
    '\\',
  ],
  range: [(text) => parseByteRange(text, 1_000), 'bytes=', '0-', '-1', 'bytes'],
  'if-none-match': [(text) => matchesEtag(text, '"etag"'), 'W/', '"a"', '*', 'W/"'],
  'accept-encoding': [negotiateEncoding, 'br', 'gzip', ';q=', 'q=0.5', '*'],
  'x-forwarded-for': [(text) => identifyClient('::1', text, 1), '::', '1.', 'ffff:', '0x', '127.0.0.1', '/64'],
  [ALLOW_HOSTS_HEADER]: [
    (text) => allowedHosts(headers(ALLOW_HOSTS_HEADER, text), query),
    '*.',
    'a.test',
    'xn--',
    '%CC%A7%CC%81',
    ':80',
  ],
  origin: [
    (text) => callerOriginOf(new Request(URL_TEXT, { headers: headers('referer', text) }), undefined),
    'http://',
    'https://',
    'xn--',
    '%CC%A7%CC%81',
  ],
  'a background': [
    (text) => void readBackground(text, background).catch(() => undefined),
    'url(',
    'linear-gradient(',
    'rgb(',
    '#fff',
    'https://',
    '%CC%A7%CC%81',
    '-',
    ')',
  ],
  'an oEmbed request': [
    (text) => parseOembedRequest(new URLSearchParams(`url=${text}`), 'https://service.test'),
    'https://service.test/?',
    'https://',
    'url=',
    '%26',
    '&maxwidth=',
  ],
  'retry-after': [
    (text) => parseResponse(response('retry-after', text), {}),
    'Sat, ',
    '01 Jan',
    '2026',
    'GMT',
    '(a)',
    ')',
  ],
  'a number of the cache': [(text) => pageResult({} as never, headers('age', text)), 'e', 'Infinity', '0x', '1_'],
  'a card of the service': [
    (text) => urls.rewriteHtml(text),
    'https://service.test/images/',
    '<link rel="alternate"',
    'href=',
  ],
  'a result of the service': [
    (text) => urls.rewriteJson(JSON.stringify({ screenshot: { url: text } }), { warnings: [] }),
    '/images/',
    'e?',
    '#',
    'https://service.test/images/',
  ],
}

describe('64 kB are read in linear time as', () => {
  it.each(Object.entries(parsers))('%s', (_, [parse, ...tokens]) => {
    const slowest = slowestPumpedText(parse, tokens, MAX_RATIO)
    expect(slowest.ratio, slowest.text).toBeLessThan(MAX_RATIO)
  })

  const combining = `https://a${'\u0327\u0301'.repeat(TEXT_CHARS / 2)}`
  const encoded = `https://a${'%CC%A7%CC%81'.repeat(TEXT_CHARS / 12)}`
  const segments = (bytes: number) => bytesOf(`\xff\xd8\xff\xe0\0\x02${'\xff\xe1\0\x02'.repeat(bytes / 4)}`)
  /** Each leads to the same host, written in the ways that URL parsers accept. */
  const spellings = ['https://a', 'https:a', ' \0https://a', 'https:\n//a', 'h\tttps://a'].map(
    (start) => start + '\u0327\u0301'.repeat(TEXT_CHARS / 4),
  )
  const accessLog = createRequestLog({ log: recordingLog().log, accessLog: true }).recordAccess!
  const record = (url: string) =>
    accessLog({
      method: 'GET',
      url,
      status: 400,
      cacheStatus: 'none',
      requestId: '',
      traceId: undefined,
      network: '',
      startedAt: 0,
    })
  const preview = (url: string) => `https://service.test/?${new URLSearchParams({ url })}`
  const guard = createGuard({})
  const allowed = parseHostList(['example.com'])
  it.each([
    ...spellings.flatMap((url): [string, () => unknown][] => {
      const start = JSON.stringify(url.slice(0, 12))
      return [
        [`a redirect to a host of combining characters: ${start}`, () => parseUrl(url, URL_TEXT)],
        [`the target of a logged request: ${start}`, () => record(preview(url))],
        [`the target of a logged oEmbed request: ${start}`, () => record(preview(preview(url)))],
        [`a URL that the guard checks: ${start}`, () => guard.checkConnection(url).catch(() => undefined)],
        [`the URL of a style sheet: ${start}`, () => checkHosts({ url: URL_TEXT, styles: url }, allowed)],
      ]
    }),
    ['a logged request', () => record(combining)],
    [
      'an origin of combining characters',
      () => callerOriginOf(new Request(URL_TEXT, { headers: { referer: encoded } }), undefined),
    ],
    ['an image of 4 MB without anything but segments', () => readImageHead(segments(4_000_000))],
    ['an image of many icons', () => readImageHead(bytesOf(`icns\x7f\xff\xff\xff${'ic07\0\0\0\x08'.repeat(8_192)}`))],
  ])('%s', (_, parse) => {
    expect(timeRatio(parse, MAX_RATIO)).toBeLessThan(MAX_RATIO)
  })
})
