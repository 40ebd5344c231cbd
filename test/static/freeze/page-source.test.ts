import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../src/static/freeze/page-source.js'
import { DATA, freeze, PREVIEW } from './freeze-test.js'

const URL = 'https://shoreline.example/'
const resolve = () => Promise.resolve({ ...PREVIEW, data: { ...DATA, title: 'Ebbe & Flut – 潮汐 😀' } })
const page = (charset: string, text: Buffer) =>
  Buffer.concat([
    Buffer.from(`<!doctype html><html><head><meta charset="${charset}"><title>`),
    text,
    Buffer.from(`</title></head><body><p title="`),
    text,
    Buffer.from(`"><page-preview url="${URL}" alt="`),
    text,
    Buffer.from(`"><a href="${URL}">`),
    text,
    Buffer.from(`</a></page-preview> > < `),
    text,
    Buffer.from('</p></body></html>'),
  ])
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** Without the card and what is added beside it. */
const outside = (html: Uint8Array) =>
  Buffer.from(html)
    .toString('latin1')
    .replace(/<link rel="stylesheet"[^>]*>| data-frozen/g, '')
    .replace(/(<page-preview[^]*?">)<[^]*<\/page-preview>/, '$1')

// The word "Müller", "潮汐" or "日本" as each encoding writes it.
const WORDS: readonly (readonly [charset: string, word: Buffer, text: string])[] = [
  ['utf-8', Buffer.from('Müller 潮汐 😀'), 'Müller 潮汐 😀'],
  ['windows-1252', bytes('4d fc 6c 6c 65 72 80'), 'Müller€'],
  ['iso-8859-1', bytes('4d fc 6c 6c 65 72'), 'Müller'],
  ['windows-1251', bytes('cf f0 e8 eb e8 e2'), 'Прилив'],
  ['shift_jis', bytes('93 fa 96 7b 83 5c'), '日本ソ'],
  ['gbk', bytes('b3 b1 cf ab'), '潮汐'],
  ['gb18030', bytes('94 39 fc 36 b3 b1'), '😀潮'],
  ['big5', bytes('bc e9 a6 c1'), '潮汐'],
  ['euc-jp', bytes('c6 fc cb dc'), '日本'],
  ['euc-kr', bytes('c1 b6 bc f6'), '조수'],
]

describe('a page of bytes', () => {
  it.each(WORDS)('in %s keeps all of them outside of cards', async (charset, word, text) => {
    const original = page(charset, word)
    const { html, previews, skipped } = await freeze(original, { resolve })
    expect({ previews, skipped }).toEqual({ previews: 1, skipped: [] })
    expect(outside(html)).toBe(outside(original))
    const decoded = new TextDecoder(charset).decode(html)
    const title =
      charset === 'utf-8' ? 'Ebbe &amp; Flut – 潮汐 😀' : 'Ebbe &amp; Flut &#8211; &#28526;&#27728; &#128512;'
    expect(decoded).toContain(`<span class="pp-title">${title}</span>`)
    const references = text.replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
    expect(decoded).toContain(`aria-label="${charset === 'utf-8' ? text : references}"`)
    expect(Buffer.from((await freeze(html, { resolve })).html).equals(html)).toBe(true)
  })

  it('keeps its byte order mark, and bytes that are invalid in UTF-8', async () => {
    const original = Buffer.concat([bytes('ef bb bf'), page('iso-8859-1', bytes('c3 a9 ff fe e2 82'))])
    const { html, previews } = await freeze(original, { resolve })
    expect(previews).toBe(1)
    expect(outside(html)).toBe(outside(original))
    expect(Buffer.from(html).toString()).toContain('潮汐')
  })

  it('is UTF-8 where it declares nothing, and its cards suit every other encoding', async () => {
    const { html } = await freeze(Buffer.from(`<page-preview url="${URL}">潮汐</page-preview>`), { resolve })
    expect(Buffer.from(html).toString('latin1')).toContain('aria-label="&#28526;&#27728;"')
    expect(Buffer.from(html).every((byte) => byte < 128)).toBe(true)
  })

  it('as a text has characters in its cards where it declares UTF-8', async () => {
    const preview = `<page-preview url="${URL}"></page-preview>`
    expect((await freeze(preview, { resolve })).html).toContain('&#28526;')
    expect((await freeze(`<meta charset=utf-8>${preview}`, { resolve })).html).toContain('潮汐')
  })

  it.each([
    ['UTF-16', Buffer.from(`\ufeff<page-preview url="${URL}"></page-preview>`, 'utf16le')],
    ['ISO-2022-JP', page('iso-2022-jp', bytes('1b 24 42 46 7c 1b 28 42'))],
  ])('in %s is left as it is and reported', async (_, original) => {
    const { html, previews, skipped } = await freeze(original, { resolve })
    expect(html).toBe(original)
    expect(previews).toBe(0)
    expect(skipped).toEqual([
      { line: 1, column: 1, reason: expect.stringMatching(/encoded as .*save it as UTF-8/i) as string },
    ])
  })
})

const ELEMENT = `<page-preview url="${URL}"></page-preview>`

describe('a page that cannot be parsed within limits', () => {
  it.each([
    ['that is too deep', '<div>'.repeat(100_000), /nested more than/],
    ['that is too long', ' '.repeat(10_000_001), /characters/],
  ])('%s is left as it is and reported', async (_, filler, reason) => {
    const page = `${ELEMENT}${filler}`
    const frozen = await freeze(page)
    const skipped = [{ line: 1, column: 1, reason: expect.stringMatching(reason) as string }]
    expect(frozen).toMatchObject({ html: page, previews: 0, skipped })
  })

  it('ends where unclosed elements multiply', () => {
    const unclosed = Array.from({ length: 100 }, (_, index) => `<b class=${index}>`).join('')
    const page = `<p>${unclosed}</p>${'<p>x</p>'.repeat(600)}`
    expect(() => parsePage(page, { maxElements: 50_000 })).toThrow('more than 50000 elements')
    expect(() => parsePage(page, { maxMs: 0 })).toThrow('takes longer than')
    expect(() => parsePage(page)).not.toThrow()
  })
})
