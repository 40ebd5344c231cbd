import { describe, expect, it } from 'vitest'
import { removeInvisible } from '../../../src/server/content/invisible-characters.js'
import { readContent } from '../../../src/server/content/read-content.js'

const read = (body: string, more: { omittedCharacters?: number; isCut?: boolean } = {}) => {
  const html = `<!doctype html><html lang="en"><head></head><body>${body}</body></html>`
  const { markdown, text } = readContent({
    html,
    omittedCharacters: 0,
    isCut: false,
    ...more,
    markdown: true,
    text: true,
  })
  return { markdown: markdown!, text: text! }
}
const markdownOf = (body: string) => read(body).markdown.untrustedContent
const paragraphs = (count: number, text: string) => `<p>${text.repeat(12)}</p>`.repeat(count)

it.each([
  [
    'headings and paragraphs',
    '<h1>Tides</h1><p>Twice a day.</p><h2>Why</h2><p>The moon.</p>',
    '# Tides\n\nTwice a day.\n\n## Why\n\nThe moon.',
  ],
  ['lists', '<ul><li>One<li>Two<ol><li>Inner</ol></ul>', '- One\n- Two\n  1. Inner'],
  [
    'tables',
    '<table><tr><th>Harbour<th>Water<tr><td>Husum<td>12:04</table>',
    '| Harbour | Water |\n| - | - |\n| Husum | 12:04 |',
  ],
  [
    'lists in cells',
    '<table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td>z|</table>',
    '| A | B |\n| - | - |\n| x, y | z\\| |',
  ],
  ['tables that only arrange', '<table><tr><td><h2>A</h2><td>b</table>', '## A\n\nb'],
  ['code with its language', '<pre><code class="language-js">a &lt; b\nc</code></pre>', '```js\na < b\nc\n```'],
  [
    'links and images',
    '<p><a href="https://a.b/(c)?d=1&amp;e=2">x</a> <img src="https://a.b/i.png"></p>',
    '[x](https://a.b/%28c%29?d=1&e=2) ![](https://a.b/i.png)',
  ],
  ['marks beside spaces', '<p>a <b> b </b>c <i></i>d</p>', 'a **b** c d'],
  ['struck text and quotes', '<blockquote><p><del>no</del></blockquote>', '> ~~no~~'],
  ['tasks', '<ul><li><input type="checkbox" checked> done</ul>', '- [x] done'],
  ['lists of terms', '<dl><div><dt>A<dd>one</div><div><dt>B<dd>two</div></dl>', '**A**\n\none\n\n**B**\n\ntwo'],
  ['no empty items of lists', '<ul><li>a<li><li> </ul>', '- a'],
  ['links without an address as their text', '<p><a>Pin</a> it</p>', 'Pin it'],
  [
    'captions of tables',
    '<table><caption>Levels</caption><tr><th>A<th>B<tr><td>1<td>2</table>',
    'Levels\n\n| A | B |\n| - | - |\n| 1 | 2 |',
  ],
  [
    'figures above and below the line',
    '<p>10<sup>3</sup> m<sup>−3</sup>, H<sub>2</sub>O, 4<sup>th</sup></p>',
    '10³ m⁻³, H₂O, 4th',
  ],
  ['headings of two lines', '<h1>Water<br>levels</h1><p>x</p>', '# Water levels\n\nx'],
  ['a summary as a term', '<details><summary>How?</summary><p>So.</p></details>', '**How?**\n\nSo.'],
  ['a summary that is a heading', '<details><summary><h3>How?</h3></summary><p>So.</p></details>', '### How?\n\nSo.'],
  ['readings above words', '<p>月の<ruby>引力<rt>いんりょく</rt></ruby>です</p>', '月の引力(いんりょく)です'],
  [
    'marks between letters',
    '<p>海は<em>誰も</em>待<strong>「たない」</strong>と。a<b>b!</b>c<b>d (</b>e)</p>',
    '海は*誰も*待「**たない**」と。a**b**!c**d** (e)',
  ],
  ['breaks at the ends of marks', '<p><b>One<br></b><i><br></i>two</p>', '**One**\\\n\\\ntwo'],
  ['marks in marks', '<p>by<em> </em><strong><em>you,</em></strong><em> the web.</em></p>', 'by **_you,_** *the web.*'],
  ['no empty lists', '<p>a</p><ul><li> <li></ul><p>b</p>', 'a\n\nb'],
  ['a link in a mark between letters', '<p>海<b><a href="https://a.b/">月</a></b>は</p>', '海[月](https://a.b/)は'],
  [
    'formulas',
    '<p><mfrac><span>a</span><span>b+1</span></mfrac><span>=</span><msqrt><span>x</span></msqrt><msup><span>c</span><span>2</span></msup></p>',
    'a/(b+1)=√(x)c^2',
  ],
  ['no way back from a footnote', '<ol><li>See p. 4. <a href="https://a.b/#fnref1">↩︎</a></ol>', '1. See p. 4.'],
  [
    'headings that link to themselves',
    '<h2 id="part"><a href="https://a.b/#part">Part</a></h2><p>x</p>',
    '## Part\n\nx',
  ],
  [
    'headings that link to other pages',
    '<h2 id="part"><a href="https://a.b/same">same</a></h2><p>x</p>',
    '## [same](https://a.b/same)\n\nx',
  ],
  ['anchors of headings', '<h2>Part <a href="https://a.b/#part">#</a></h2><p>x</p>', '## Part\n\nx'],
])('writes %s', (_, body, markdown) => {
  expect(markdownOf(body)).toBe(markdown)
})

it('escapes what would be Markdown in the text of a page', () => {
  expect(markdownOf('<p># no heading</p><p>[no](link)</p><p>```</p><p>&lt;b&gt;</p>')).toBe(
    '\\# no heading\n\n\\[no]\\(link)\n\n\\`\\`\\`\n\n\\<b>',
  )
})

it('finds the article of a page, with the heading in front of it', () => {
  const body = `<div class="top"><h1>Tides</h1></div><ul class="menu">${'<li><a href="https://a.b/">Menu</a>'.repeat(9)}</ul>
    <article>${paragraphs(5, 'The tide turns at noon, and again at midnight. ')}</article><aside>Beside</aside><footer>Below</footer>`
  const markdown = markdownOf(body)
  expect(markdown).toMatch(/^# Tides\n\nThe tide/)
  expect(markdown).not.toMatch(/Menu|Beside|Below/)
})

it('leaves out what is around the content of a page that is no article', () => {
  const body =
    '<header>Top</header><nav>Menu</nav><main><h1>Shop</h1><p>Boats</p><form>Search</form></main><footer>Below</footer>'
  expect(markdownOf(body)).toBe('# Shop\n\nBoats')
})

it('reads each part of a table that arranges others once', () => {
  const row = '<tr><td>1.<td><a href="https://a.b/">Post</a>'
  expect(
    markdownOf(`<table><tr><td><table><tr><td>News<td>Log in</table><tr><td><table>${row}${row}</table></table>`),
  ).toBe(
    '| | |\n| - | - |\n| News | Log in |\n\n| | |\n| - | - |\n| 1. | [Post](https://a.b/) |\n| 1. | [Post](https://a.b/) |',
  )
})

it('leaves out the numbers of the lines of code in a table', () => {
  expect(markdownOf('<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>')).toBe('```\na\nb\n```')
})

it('reads the form that a product is in', () => {
  const body =
    '<main><form><h1>Jacket</h1><p class="price">€ 119</p><fieldset>Colour</fieldset><label>Size</label><button>Add</button></form><h2>Details</h2><p>480 g</p></main>'
  expect(markdownOf(body)).toBe('# Jacket\n\n€ 119\n\n## Details\n\n480 g')
})

it('leaves out the headings of forms', () => {
  const form = '<div><h3>Get our newsletter</h3><form><input><button>Sign up</button></form></div>'
  const article = paragraphs(5, 'The tide turns at noon, and again at midnight. ')
  expect(markdownOf(`<main><h1>Tides</h1><p>Twice a day.</p>${form}</main>`)).toBe('# Tides\n\nTwice a day.')
  expect(markdownOf(`<article><h1>Tides</h1>${article}${form}</article>`)).not.toContain('newsletter')
})

it('leaves out menus in front of the heading', () => {
  const menu = '<div><a href="https://a.b/">Home</a> | <a href="https://a.b/c">Boats</a></div>'
  expect(markdownOf(`<div>${menu}<p>Week 19</p><h1>Report</h1></div><p>See <a href="https://a.b/d">d</a></p>`)).toBe(
    'Week 19\n\n# Report\n\nSee [d](https://a.b/d)',
  )
})

it('keeps what is around the heading of an article in its order', () => {
  const body = `<article><span>Science</span><h1>Why the tide was late</h1><p>A rare wind.</p><div class="byline">By Sam</div>
    ${paragraphs(5, 'The tide turns at noon, and again at midnight. ')}</article>`
  expect(markdownOf(body)).toMatch(/^Science\n\n# Why the tide was late\n\nA rare wind\.\n\nBy Sam\n\nThe tide/)
})

it('finds the heading of an article below the name of its site', () => {
  const body = `<h1><a href="https://a.b/">Kitchen</a></h1><div><h2><a href="https://a.b/soup">Soup</a></h2>
    <div class="entry">${paragraphs(5, 'The tide turns at noon, and again at midnight. ')}</div></div>`
  expect(markdownOf(body)).toMatch(/^# \[Soup\]\(https:\/\/a.b\/soup\)\n\nThe tide/)
})

it('keeps who wrote each post of a list', () => {
  const posts = Array.from(
    { length: 5 },
    (_, index) =>
      `<article><div class="head"><a href="https://a.b/${index}">User ${index}</a></div>${paragraphs(1, 'The tide turns at noon, and again at midnight. ')}</article>`,
  )
  expect(markdownOf(`<main><h1>Posts</h1>${posts.join('')}</main>`)).toContain('[User 4](https://a.b/4)\n\nThe tide')
})

it('keeps each part of the only article of a page', () => {
  const part = (name: string, count: number) =>
    `<section><div><div><div><h2>${name}</h2>${'<p>The tide turns at noon, and again at midnight.</p>'.repeat(count)}</div></div></div></section>`
  expect(markdownOf(`<div><article><div>${part('First', 4)}<hr>${part('Second', 40)}</div></article></div>`)).toMatch(
    /First\n\nThe tide[^]*Second\n\nThe tide/,
  )
})

it('writes the same content as plain text', () => {
  const { text } = read(
    '<h1>Tides</h1><p>At <b>noon</b>, <a href="https://a.b/">here</a>.</p><ol><li>One<li>Two</ol><table><tr><th>A<th>B<tr><td>1<td>2</table>',
  )
  expect(text.untrustedContent).toBe('Tides\n\nAt noon, here.\n\n1. One\n2. Two\n\nA\tB\n1\t2')
})

it('cuts a long content at the end of a paragraph', () => {
  const { markdown, text } = read(paragraphs(400, 'The tide turns at noon, and again at midnight. '))
  for (const { untrustedContent, isTruncated } of [markdown, text]) {
    expect(untrustedContent.length).toBeLessThanOrEqual(100_000)
    expect(untrustedContent).toMatch(/midnight\.$/)
    expect(isTruncated).toBe(true)
  }
})

it('says that a page was cut before', () => {
  expect(read('<p>x</p>', { isCut: true }).markdown.isTruncated).toBe(true)
})

describe('characters without a shape', () => {
  it.each([
    ['tags', 'a\u{e0041}\u{e007f}b', 'ab'],
    ['spaces without width', 'a\u200b\u2060\ufeffb', 'ab'],
    ['marks of the direction', '\u202ea\u2066b\u200f', 'ab'],
    ['variation selectors', 'a\ufe01\u{e0100}b\ufe0f', 'ab'],
    ['joiners between letters of Latin', 'a\u200db\u200cc', 'abc'],
    ['controls and private characters', 'a\u0007\ue000b', 'ab'],
  ])('are removed: %s', (_, text, visible) => {
    expect(removeInvisible(text)).toEqual({ text: visible, removed: Array.from(text).length - visible.length })
  })

  it.each(['👩‍👩‍👧', '❤️', '1️⃣', 'می‌خواهم', 'क्‍ष', 'a\tb\nc'])('stay where they have an effect: %j', (text) => {
    expect(removeInvisible(text)).toEqual({ text, removed: 0 })
  })

  it('are counted with the text that the page hides', () => {
    expect(read('<p>a\u200bb</p>', { omittedCharacters: 3 }).markdown).toEqual({
      untrustedContent: 'ab',
      omittedCharacters: 4,
      isTruncated: false,
    })
  })
})
