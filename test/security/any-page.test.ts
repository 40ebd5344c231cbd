// Covers parsers of pages and of images: whatever they contain is read, and what comes out is bounded.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/query/index.js'
import { detectImageFormat } from '../../src/server/images/image-formats.js'
import { readImageHead } from '../../src/server/images/read-image-head.js'
import { decodeHtml } from '../../src/server/charset.js'
import { iconSize, parseHtml } from '../../src/server/page/document/index.js'
import { fetchLinkedMetadata } from '../../src/server/page/extract-metadata.js'
import { fileSources } from '../../src/server/page/read-document.js'
import { judgeDocument } from '../../src/server/page-state/index.js'
import { findCandidates } from '../../src/server/page/find-candidates.js'
import { findDuration } from '../../src/server/page/fields/duration.js'
import { expectReadOrRejected, textOf } from './any-text.js'

const PAGE_URL = 'https://example.com/'
const MAX_FIELD_CHARS = 8_192

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const { query } = parseQuery({ url: PAGE_URL })
const empty = parseHtml('', PAGE_URL)

const HTML = textOf(
  '<title>',
  '</title>',
  '<h1>',
  '<p class="by-line">',
  '<time datetime="',
  '">',
  '<meta property="og:image" content="',
  '<meta name=author content=',
  '<base href="',
  '<link rel="icon" sizes="16x16" href="',
  '<img srcset="a 1x, b 2x" src="',
  '<script type="application/ld+json">',
  '</script>',
  '{"@type":"Article","headline":',
  '[',
  ']',
  '}',
  '"a"',
  '<!--',
  '-->',
  '<meta name="parsely-page" content=\'',
  '<a href="/">',
  '<table><tr><th>',
  'By Jane Doe, Reporter',
  'LISBON, 12 March 2024 — ',
  '<br>',
  '<article>',
  '</article>',
  '<div itemscope itemtype="Product">',
  ' itemprop=name',
  '&amp;amp;',
  'https://',
  '2026-01-01',
  '\0',
)

const BYTES = textOf(
  '\xff\xd8\xff',
  '\xff\xe1\0\x08Exif\0\0',
  '\xff\xc0\0\x11\x08',
  '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  'GIF89a',
  '<svg ',
  'viewBox="',
  'RIFF\0\0\0\0WEBP',
  'VP8X',
  'VP8L',
  '\0\0\x01\0',
  'II*\0\b\0\0\0',
  '\0\0\0\x18ftypavif',
  '\0\0\0\x08meta',
  'icns',
  '\0\0',
  '\xff',
)

describe('a page of random markup', () => {
  it('yields at most ten values per field, each of at most 8,192 characters', () => {
    const read = (html: string) => findCandidates(parseHtml(decodeHtml(Buffer.from(html), 'text/html'), PAGE_URL))
    expectReadOrRejected(HTML, read, (candidates) => {
      for (const values of Object.values(candidates)) {
        expect(values.length).toBeLessThanOrEqual(10)
        for (const value of values) expect(value.length).toBeLessThanOrEqual(MAX_FIELD_CHARS)
      }
    })
  })

  it('yields a whole duration, a small icon size and a short file name, or none', () => {
    const durations = textOf('PT', '1H', '30M', '1.5S', 'P1D', '1:', '02', '.')
    const duration = (text: string) => findDuration({ ...empty, metas: new Map([['duration', [text]]]) }, 'video')
    expectReadOrRejected(durations, duration, (seconds = 1) => {
      expect(Number.isInteger(seconds) && seconds > 0 && seconds <= 1_000_000).toBe(true)
    })
    expectReadOrRejected(
      textOf('16x16', ' ', 'x', '.svg', '9999x9999'),
      (text) => iconSize(text, text),
      ({ size }) => expect(size).toBeLessThan(10_000),
    )
    const disposition = textOf('filename', '*', '=', "utf-8''", '%20', '%ff', '"', ';')
    const file = (text: string) =>
      fileSources({ url: PAGE_URL, contentType: 'image/png', headers: { 'content-disposition': text } })
    expectReadOrRejected(disposition, file, ({ title }) => expect(title?.length).toBeLessThanOrEqual(2_000))
  })

  it('is judged by itself, without an error', () => {
    const page = { requestedUrl: PAGE_URL, url: PAGE_URL, statusCode: 403, headers: {}, contentType: 'text/html' }
    expectReadOrRejected(
      HTML,
      (html) => judgeDocument({ ...page, html }),
      (state) => expect([undefined, 'bot-check', 'error-page', 'login', 'consent']).toContain(state),
    )
  })

  it('yields at most 30 icons of its manifest, and only texts of its oEmbed document', async () => {
    const reading = {
      candidates: findCandidates(empty),
      hasHighResolutionIcon: false,
      manifestUrl: `${PAGE_URL}manifest`,
      oembedUrls: [`${PAGE_URL}oembed`],
    }
    const icons = fc.array(
      fc.record({
        src: fc.oneof(fc.constant('/icon.png'), fc.jsonValue()),
        sizes: fc.jsonValue(),
        purpose: fc.jsonValue(),
      }),
      {
        maxLength: 200,
        size: 'max',
      },
    )
    const json = fc
      .oneof(fc.jsonValue(), fc.record({ icons, title: fc.jsonValue() }))
      .map((value) => JSON.stringify(value))
    const documents = fc.oneof(
      json,
      fc.string(),
      fc.string().map((text) => `<oembed><title>${text}`),
    )
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const pinger = { fetchText: () => Promise.resolve(document) }
        const linked = await fetchLinkedMetadata(reading as never, { query, pinger: pinger as never })
        expect(linked?.manifestIcons.length ?? 0).toBeLessThanOrEqual(30)
        for (const text of linked?.oembed.values() ?? []) expect(text).toBeTypeOf('string')
      }),
      { seed: 1 },
    )
  })
})

describe('a file of random bytes', () => {
  it('yields the format of an image and its dimensions, or none', () => {
    expectReadOrRejected(BYTES, (text) => detectImageFormat(bytesOf(text)))
    expectReadOrRejected(
      BYTES,
      (text) => readImageHead(bytesOf(text)),
      (head) => {
        for (const side of [head?.width ?? 1, head?.height ?? 1]) expect(Number.isInteger(side)).toBe(true)
      },
    )
  })
})
