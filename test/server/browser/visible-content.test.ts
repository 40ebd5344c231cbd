// Covers in which form the visible content of a page is read: what its boxes, roles and slots say beside its text.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readContent } from '../../../src/server/content/read-content.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const cases = {
  'text in a slot':
    '<x-a><template shadowrootmode="open"><div><b>Note</b> <slot></slot></div></template>No <a href="/wind">wind</a>.</x-a>',
  'text in an element without a box': '<p><span style="display:contents">High water</span></p>',
  'headings and lists that are roles':
    '<div role="heading" aria-level="2">Log</div><div role="list"><div role="listitem">One</div><div role="listitem">Two</div></div>',
  'tables that are roles':
    '<div role="table"><div role="row"><span role="columnheader">Ship</span><span role="columnheader">Berth</span></div><div role="row"><span role="cell">Ada</span><span role="cell">4</span></div></div>',
  'grids that are roles':
    '<div role="grid"><div role="row"><div role="gridcell">Ada</div><div role="gridcell">4</div></div></div>',
  'rows without a table': '<div role="row"><div role="cell">Ada</div><div role="cell">4</div></div>',
  'readings above words': '<p>月の<ruby>引力<rp>（</rp><rt>inryoku</rt><rp>）</rp></ruby>だ</p>',
  formulas:
    '<p>If <math><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></math>, stop.</p>',
  'letters above the line': '<p>10<span style="vertical-align:super">3</span> m</p>',
  'words that a margin parts': '<p><a href="/a" style="margin-right:8px">One</a><a href="/b">Two</a></p>',
  'a large first letter': '<p><span style="float:left;font-size:40px;margin-right:8px">T</span>ides turn.</p>',
  'space in an element of its own': '<p>right by<em> </em>you</p><pre>a<span>\n</span><span>b</span></pre>',
  'links that are blocks':
    '<div><a href="/a" style="display:block">One</a><a href="/b" style="display:block">Two</a></div>',
}

let test: TestBrowser
beforeAll(async () => {
  const pages = Object.values(cases).map((body, index) => [`/${index}`, `<!doctype html><body>${body}`] as const)
  test = await startTestBrowser(Object.fromEntries(pages))
})
afterAll(() => test.close())

it.each([
  ['text in a slot', '**Note** No [wind](SITE/wind).'],
  ['text in an element without a box', 'High water'],
  ['headings and lists that are roles', '## Log\n\n- One\n- Two'],
  ['tables that are roles', '| Ship | Berth |\n| - | - |\n| Ada | 4 |'],
  ['grids that are roles', '| | |\n| - | - |\n| Ada | 4 |'],
  ['rows without a table', 'Ada\n\n4'],
  ['readings above words', '月の引力(inryoku)だ'],
  ['formulas', 'If a/b=c^2, stop.'],
  ['letters above the line', '10³ m'],
  ['words that a margin parts', '[One](SITE/a) [Two](SITE/b)'],
  ['a large first letter', 'Tides turn.'],
  ['space in an element of its own', 'right by you\n\n```\na\nb\n```'],
  ['links that are blocks', '[One](SITE/a)\n\n[Two](SITE/b)'],
] as const)('reads %s', async (name, markdown) => {
  const { content } = await test.capture(`/${Object.keys(cases).indexOf(name)}`, { markdown: true })
  const reading = readContent({ ...content!, markdown: true, text: false })
  expect(reading.markdown!.untrustedContent.replaceAll(test.site.url, 'SITE')).toBe(markdown)
})
