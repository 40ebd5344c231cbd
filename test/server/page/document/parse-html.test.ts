import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { expectTimeRatio } from '../../../shared/time-ratio.js'

const parse = (html: string) => parseHtml(html, 'https://site.example/')

describe('a page with too many nested elements', () => {
  it('is read up to 512 of them', () => {
    const { title, body } = parse(`<title>Story</title>${'<i>'.repeat(500)}<h1>First${'<i>'.repeat(20)}<h1>Second`)
    expect(title).toBe('Story')
    expect(body.heading).toEqual(['First'])
  })

  it('is read to its end when the elements are closed', () => {
    expect(parse(`${'<i></i>'.repeat(1_000)}<h1>Last</h1>`).body.heading).toEqual(['Last'])
  })

  it.each([
    ['190,000 nested elements', '<div>'.repeat(190_000)],
    ['closing tags of elements that are not open', '<div>'.repeat(100_000) + '</a>'.repeat(100_000)],
  ])('takes about as long with %s as with an ordinary page', (_, html) => {
    const ordinary = '<p>text</p>'.repeat(html.length / 11)
    expectTimeRatio(
      () => parse(html),
      () => parse(ordinary),
      20,
    )
  })
})

it('reads lists of names up to their first 2,000 characters', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `name-${at}`).join(' ')
  expect(parse(`<meta name="${names}" content="x">`).metas.size).toBeLessThan(300)
})

describe('a page with too many elements', () => {
  const MANY = '<p>x</p>'.repeat(6_000)

  it('is read up to 5,000 of them', () => {
    expect(parse(`<h1>First</h1>${MANY}<h1>Second</h1>`).body.heading).toEqual(['First'])
  })

  it.each([
    ['lower case', '<script type="application/ld+json">', '</script>'],
    ['upper case', '<SCRIPT TYPE="Application/LD+JSON">', '</SCRIPT>'],
    ['other attributes', `<script id='a' type=application/ld+json class="yoast-schema-graph">`, '</script >'],
    ['a charset', '<script type="application/ld+json; charset=utf-8">', '</script\n>'],
  ])('has its JSON-LD read, wherever it is: in %s', (_, start, end) => {
    const script = `${start}{"@type":"Article","headline":"Story"}${end}`
    expect(
      parse(`${MANY}${script}${MANY}<script type="application/ld+json">{`).jsonLd.mainEntities[0]?.texts('headline'),
    ).toEqual(['Story'])
  })
})

it('reads a page whose JSON-LD has very many nested arrays', () => {
  const nested = '['.repeat(50_000) + ']'.repeat(50_000)
  const script = `<script type="application/ld+json">{"@type":"Article","headline":"Rain","keywords":${nested}}</script>`
  expect(parseHtml(script, 'https://site.example/').jsonLd.mainEntities[0]?.texts('headline')).toEqual(['Rain'])
})
