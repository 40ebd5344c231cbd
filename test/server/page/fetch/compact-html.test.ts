import { describe, expect, it } from 'vitest'
import { compactHtml } from '../../../../src/server/page/fetch/compact-html.js'
import { pageSite, send } from '../page-site.js'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const long = (bytes: number) => 'x'.repeat(bytes)
const TITLE = '<title>Größe</title><meta name="description" content="Found all the same">'

describe('a page whose metadata is behind a lot else', () => {
  it.each([
    ['styles', `<style>${long(1_200_000)}</style>`],
    ['a script', `<script>window.state = "${long(3_000_000)}"</script>`],
    ['a script of 7 MB', `<script type="application/json">"${long(7_000_000)}"</script>`],
    ['many scripts', `<script>${long(60_000)}</script>`.repeat(100)],
    ['a comment', `<!-- ${long(2_000_000)} -->`],
    ['an image in its URL', `<link rel="icon" href="data:image/png;base64,${long(1_500_000)}">`],
    ['upper case', `<STYLE TYPE="text/css">${long(1_500_000)}</STYLE >`],
    ['a script with markup in it', `<script>var a = "<style>"; ${long(1_500_000)}</script>`],
  ])('is read: %s', async (_, bulk) => {
    const site = await pageSite({
      '/': send(`<!doctype html><html><head>${bulk}${TITLE}</head><body><h1>Größe</h1>`, HTML),
    })
    const { data, warnings } = await site.read()
    expect(data).toMatchObject({ title: 'Größe', description: 'Found all the same' })
    expect(warnings).toEqual([])
  })

  it('is read with its JSON-LD, and with a warning if it is longer than 8 MB', async () => {
    const jsonLd =
      '<script type="application/ld+json">{"@type":"Article","headline":"Tides","author":{"name":"Ada Reed"}}</script>'
    const site = await pageSite({
      '/': send(
        `${TITLE}<style>${long(5_000_000)}</style>${jsonLd}<script>${long(4_000_000)}</script><p>Not read`,
        HTML,
      ),
    })
    const { data, warnings } = await site.read()
    expect(data).toMatchObject({ title: 'Größe', author: 'Ada Reed' })
    expect(warnings).toEqual([`The page of ${site.host} is longer than 8 MB; its metadata is from the start of it.`])
  })
})

describe('compacting HTML', () => {
  const compacted = (html: string) => {
    const bytes = Buffer.from(html)
    return bytes.subarray(0, compactHtml(bytes)).toString()
  }
  it.each([
    ['<p>a</p>', '<p>a</p>'],
    ['<style a="b">x</style><p>', '<style a="b"></style><p>'],
    ['<script>x</script><script src=a></script>', '<script></script><script src=a></script>'],
    ['a<!-- b -->c', 'a<!---->c'],
    ['<styled>x</styled>', '<styled>x</styled>'],
    ['<script type="application/ld+json">{"a":1}</script>', '<script type="application/ld+json">{"a":1}</script>'],
    ['<img src="data:image/gif;base64,R0l">', '<img src="data:image/gif;base64,R0l">'],
    [`<img src="data:image/gif;base64,${long(9_000)}">`, '<img src="data:">'],
    ['ä<!--ö-->ü', 'ä<!---->ü'],
    ['<script', '<script'],
    [`<style>${long(100)}</sty`, `<style>${long(11)}</sty`],
  ])('%s', (html, result) => {
    expect(compacted(html)).toBe(result)
  })

  it('leaves UTF-16 as it is', () => {
    const bytes = Buffer.from('<style>x</style>', 'utf16le')
    expect(compactHtml(bytes)).toBe(bytes.length)
  })
})
