// Covers the time in which texts of strange pages are read: each parser gets 64 kB that repeat what its patterns look for.
import { expect, it } from 'vitest'
import { parseHtml } from '../../src/server/page/document/index.js'
import { decodeHtml } from '../../src/server/charset.js'
import { compactHtml } from '../../src/server/page/fetch/compact-html.js'
import { createCookies } from '../../src/server/page/fetch/cookies.js'
import { findRefresh } from '../../src/server/page/fetch/find-refresh.js'
import { fileSources } from '../../src/server/page/read-document.js'
import { judgeDocument } from '../../src/server/page-state/index.js'
import { findCandidates } from '../../src/server/page/find-candidates.js'
import { findDuration } from '../../src/server/page/fields/duration.js'
import { mediaKind } from '../../src/server/page/media-type.js'
import { fields, type MetadataField } from '../../src/server/page/fields/index.js'
import { slowestPumpedText, timeRatio } from './pumped-texts.js'

/** As multiples of what Node takes to split 64 kB of parameters. */
const MAX_RATIO = 100
const PAGE_URL = 'https://example.com/'

const empty = parseHtml('', PAGE_URL)
const value = (field: MetadataField) => (text: string) => fields[field].normalise(text, empty)
const candidates = (html: string) => findCandidates(parseHtml(html, PAGE_URL))
const page = { url: PAGE_URL, statusCode: 200, contentType: 'text/html', headers: {}, html: '' }

const parsers: Record<string, [parse: (text: string) => unknown, ...tokens: string[]]> = {
  'a long page': [
    (html) => compactHtml(Buffer.from(html)),
    '<!--',
    '-->',
    '<style>',
    '<script',
    '<script>',
    '</script',
    'data:',
    '"',
    'ld+json',
  ],
  'a page that may have a refresh': [
    (html) => findRefresh({ url: PAGE_URL, headers: {} }, Buffer.from(`<i http-equiv=x>${html}`)),
    '<b>',
    '</c>',
    '<noscript>',
    '<meta ',
    'http-equiv=refresh ',
    'content="0;url=',
    '&amp;',
    '"',
    ' a',
  ],
  'the delay of a refresh': [
    (refresh) => findRefresh({ url: PAGE_URL, headers: { refresh } }, Buffer.from('')),
    '0',
    ' ',
    ';',
    'url=',
    '"',
    '.',
  ],
  'the cookies of a hop': [
    (text) => {
      const cookies = createCookies()
      cookies.store(text.match(/[^]{1,4000}/g) ?? [], new URL(PAGE_URL))
      return cookies.header(new URL(PAGE_URL), text.slice(0, 8_000))
    },
    'a=1',
    '; ',
    'Domain=',
    '.example.com',
    'Expires=',
    'Jan 1 2030 ',
    '=',
    ' ',
  ],
  'a title': [value('title'), '&amp;', '&#1', '&'],
  'a description': [value('description'), '&amp;', '\u200b'],
  'a date in another language': [
    (text) => fields.date.normalise(text, { ...empty, lang: 'ar' }),
    '12 ',
    'آذار/',
    'مارس ',
    '2024',
    '. ',
    ' tháng ',
    '1/1/24',
    '٣',
  ],
  'texts near a headline': [
    (text) => candidates(`<title>T</title><h1>T</h1><p>${text}</p><p>${text}<br>${text}</p>`),
    'By ',
    'LISBON, March 12, 2024 — ',
    'Jane Doe, ',
    'Reporter ',
    '記者',
    '<br>By ',
  ],
  'links to a home page': [
    (text) => candidates(`<title>T | A</title><h1>${text}</h1>${text}`),
    '<a href="/">A</a>',
    '<a href="/"><img alt="A">',
    '<h1><a href="/?a">A',
    '</h1>',
  ],
  'tables near a headline': [(text) => candidates(`<h1>T</h1>${text}`), '<table>', '<tr><th>', '<td>2024', '</table>'],
  'the metadata of Parse.ly': [
    (text) => candidates(`<meta name="parsely-page" content='${text}'>`),
    '{"authors":[',
    '[',
    '"a",',
    '{',
  ],
  'a name': [
    value('author'),
    'by ',
    'JANE ',
    'Harbour ',
    'AP ',
    '(a) ',
    'Senior ',
    'Reporter ',
    'Tuesday ',
    '— ',
    'written by',
    ' • ',
    ' | ',
  ],
  'a language': [value('lang'), 'en', '-'],
  'a date': [value('date'), '2026-01-01', 'T10:00', 'Z', 'GMT', 'Jan ', '01.01.2026', '(', '+0100'],
  'an address': [value('url'), 'https://', '//', 'a.test', '../', '%CC%81', '%CC%A7', '?', '#', 'xn--'],
  'a site in a title': [
    (text) => candidates(`<title>${text}</title><meta property="og:title" content="T"><h1>T</h1><h2>${text}</h2>`),
    'T',
    ' - ',
    ' | ',
    '»',
  ],
  'a duration': [
    (text) => findDuration({ ...empty, metas: new Map([['duration', [text]]]) }, 'video'),
    'PT',
    '1H',
    '1M',
    '1:',
  ],
  'JSON-LD': [
    (text) => candidates(`<script type="application/ld+json">${text}</script>`),
    '{"@type":"Article","author":',
    '{"@type":',
    '[',
    '{',
    '"a"',
    '}',
    ']',
  ],
  'the base of addresses': [
    (text) => parseHtml(`<base href="${text}">`, PAGE_URL),
    'https://',
    '//a',
    '\u0327\u0301',
    '%CC%A7%CC%81',
  ],
  'the markup of images': [
    (text) => parseHtml(`<img srcset="${text}" sizes="${text}" src="${text}" alt="${text}">`, PAGE_URL),
    'a.png 1x',
    ', ',
    '2w',
    '(min-width: 1px) ',
    '100vw',
    'logo',
  ],
  'sizes of icons': [(text) => candidates(`<link rel="icon" href="/i" sizes="${text}">`), '16x16', 'x'],
  'classes of tags': [(text) => candidates(`<body><p class="${text}">a</p>`), 'by-line', 'author-', 'date_', '-'],
  'a charset': [(text) => decodeHtml(Buffer.from(text), text), '<meta ', 'charset', '=', '"', '>'],
  'a text without a charset': [
    (text) => decodeHtml(Buffer.from(`${text}\xe9`, 'latin1'), ''),
    '<html ',
    'lang=',
    '<script',
    '<!--',
    '<',
    '\xcf\xf0',
    '>',
    'a ',
  ],
  'a file name': [
    (text) => fileSources({ ...page, headers: { 'content-disposition': text } }),
    'filename',
    '*',
    '=',
    "utf-8'",
    '"',
  ],
  'a media type': [(text) => mediaKind(text), 'image/', 'x-', '/'],
  'marks of states': [
    (html) => judgeDocument({ ...page, requestedUrl: page.url, html }),
    '_Incapsula_Resource?',
    'id="',
    'checking your browser before accessing ',
    'incident_id',
    '<h1>',
    '</h1>',
    '<a href="/">',
    '<p style="display : ',
    '<title>',
    'page not found: ',
    ' - ',
  ],
}

it.each(Object.entries(parsers))('%s takes linear time', (_, [parse, ...tokens]) => {
  const slowest = slowestPumpedText(parse, tokens, MAX_RATIO)
  expect(slowest.ratio, slowest.text).toBeLessThan(MAX_RATIO)
})

const articles = (count: number, node: (at: number) => object) =>
  `<script type="application/ld+json">${JSON.stringify(Array.from({ length: count }, (_, at) => node(at)))}</script>`

it.each([
  ['many types', articles(300, (at) => ({ '@type': Array.from({ length: 200 }, (_, n) => `${at} ${n} Article`) }))],
  [
    'nested arrays',
    `<script type="application/ld+json">{"@type":"Article","author":${'['.repeat(30_000)}${']'.repeat(30_000)}}</script>`,
  ],
  [
    'nested objects',
    `<script type="application/ld+json">${'{"@type":"Article","author":'.repeat(2_000)}1${'}'.repeat(2_000)}</script>`,
  ],
  [
    'references to one large node',
    articles(300, (at) =>
      at
        ? { '@type': 'Article', '@id': `${at}`, author: { '@id': '0' } }
        : { '@type': 'Person', '@id': '0', name: Array.from({ length: 20 }, () => ' a'.repeat(5_000)) },
    ),
  ],
])('JSON-LD with %s is read in linear time', (_, html) => {
  expect(() => candidates(html)).not.toThrow()
  expect(timeRatio(() => candidates(html), 200)).toBeLessThan(200)
})
