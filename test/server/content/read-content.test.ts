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
