import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { expectTimeRatio } from '../../../shared/time-ratio.js'
import { jsonLd, og } from '../declarations.js'

const URL = 'https://courier.example/news/rain'
const read = (html: string) => {
  const { title, description } = findCandidates(parseHtml(html, URL))
  return { title: title[0], description: description[0] }
}
const titleOf = (content: string) => read(og('title', content)).title
const descriptionOf = (content: string) => read(og('description', content)).description
const escapeOnce = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

describe('a text that was escaped several times', () => {
  it.each([
    ['Salt &amp;amp; Rope &amp;#39;s Almanac', "Salt & Rope 's Almanac"],
    ['AT&amp;amp;T', 'AT&T'],
    ['AT&amp;amp;amp;T', 'AT&T'],
    ['AT&amp;amp;amp;amp;T', 'AT&T'],
    ['Caf&amp;eacute; &amp;quot;Rain&amp;quot;', 'Café "Rain"'],
    ['Rain&amp;#8217;s coming&amp;hellip;', 'Rain’s coming…'],
    ['Rain&amp;nbsp;here', 'Rain here'],
    ['HTML &amp;amp; CSS: the basics', 'HTML & CSS: the basics'],
    ['HTML Entities &amp;amp; Symbols', 'HTML Entities & Symbols'],
    ['Escaping &amp;amp; Encoding', 'Escaping & Encoding'],
    ['News, HTML &amp;amp; more', 'News, HTML & more'],
    ['Don&amp;#39;t use &amp;amp; in HTML', "Don't use & in HTML"],
    ['5 &amp;lt; 6', '5 < 6'],
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    ['?a=1&amp;b=2', '?a=1&b=2'],
  ])('%s: %s', (content, expected) => {
    expect(titleOf(content)).toBe(expected)
    expect(descriptionOf(content)).toBe(expected)
  })
})

describe('a text about entities keeps them', () => {
  it.each([
    'How to write &amp; in HTML',
    'What is &nbsp; in HTML?',
    'Escape &lt; and &gt; in XML',
    'HTML entities: &amp;, &lt; and &gt;',
    'The &eacute; entity',
    'Use “&amp;” to encode an ampersand',
  ])('%s', (text) => {
    expect(titleOf(escapeOnce(text))).toBe(text)
    expect(descriptionOf(escapeOnce(text))).toBe(text)
  })

  it('beside tags that it names', () => {
    expect(descriptionOf('Authors type &amp;lt;b&amp;gt; for bold and &amp;amp;lt; for a sign.')).toBe(
      'Authors type <b> for bold and &lt; for a sign.',
    )
  })
})

describe('a text with tags', () => {
  it.each([
    ['<p>Ropes <b>and</b> knots.</p>', 'Ropes and knots.'],
    ['<p>Ropes &amp; knots.</p>', 'Ropes & knots.'],
    ['<p class="lead">Ropes and knots are things that', 'Ropes and knots are things that'],
    ['<p>Ropes and knots are things that', 'Ropes and knots are things that'],
    ['<div>Ropes</div><div>and knots.</div>', 'Ropes and knots.'],
    ['Ropes.<br>Knots.', 'Ropes. Knots.'],
    ['Ropes.<br />Knots.<br/>', 'Ropes. Knots.'],
    ['Ropes. <br> Knots.', 'Ropes. Knots.'],
    ['Ropes and knots.</p>', 'Ropes and knots.'],
    ['A review of <i>The Rope</i>', 'A review of The Rope'],
    ['Read <a href="/more">more</a>', 'Read more'],
    ['H<sub>2</sub>O', 'H2O'],
    ['<P>Ropes</P>', 'Ropes'],
    ['<ul><li>Ropes</li><li>Knots</li></ul>', 'Ropes Knots'],
    ['<p>The &lt;p&gt; element</p>', 'The <p> element'],
    ['Ropes <br> and knots', 'Ropes and knots'],
    ['Ropes and <br> knots', 'Ropes and knots'],
    ['Ropes, <br>knots', 'Ropes, knots'],
    ['<img>Ropes and knots', 'Ropes and knots'],
    ['Ropes. <img> Knots.', 'Ropes. Knots.'],
    ['<img src="/r.png"> Ropes', 'Ropes'],
  ])('is shown without them: %s', (markup, expected) => {
    for (const content of [escapeOnce(markup), escapeOnce(escapeOnce(markup))])
      expect(descriptionOf(content)).toBe(expected)
  })

  it.each([
    'The <p> HTML element represents a paragraph, and <a> a link.',
    'The <br> HTML element produces a line break.',
    'Use <br> to break lines.',
    'Use <b> for bold and <i> for italics.',
    'Use <b> and </b> around it.',
    '<p>: The Paragraph element - Reference',
    '<div> vs <span>: which one?',
    'Difference between <br> and <hr>',
    'When do I need <br>, <br/> or <hr>?',
    'Is it <br /> or <wbr>',
    '<hr> vs. <br>',
    'Why <img> has a gap below it',
    'A gap below <img>',
    'What does "<br>" do?',
    'The <dialog> element and the <my-tag> element',
    'A map of type Map<string, a>',
    '1 < 2 and 3 > 2',
    'I <3 ropes',
    'a<b and c>d',
  ])('that it names keeps them: %s', (text) => {
    expect(descriptionOf(escapeOnce(text))).toBe(text)
    expect(titleOf(escapeOnce(text))).toBe(text)
  })
})

describe('a text that is too long', () => {
  const FAMILY = '👨‍👩‍👧‍👦'
  it.each([
    ['a family of emoji', FAMILY],
    ['a flag', '🇳🇴'],
    ['the flag of a region', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['an emoji with a colour of skin', '👍🏽'],
    ['a letter with marks', 'e\u0301\u0323'],
    ['a syllable in Devanagari', 'क्षि'],
    ['a syllable of Hangul in parts', '\u1112\u1161\u11ab'],
    ['a pair of surrogates', '😀'],
    ['a key cap', '1️⃣'],
  ])('is never cut within %s', (_, character) => {
    for (let before = 480; before < 500; before++) {
      const start = 'a'.repeat(before)
      const { title = '' } = read(`<title>${start}${character.repeat(3)}${'z'.repeat(400)}</title>`)
      const end = title.slice(before, -1)
      expect(title).toMatch(/…$/)
      expect(title.length).toBeLessThanOrEqual(500)
      expect(end.replaceAll(character, '')).toMatch(/^z*$/)
    }
  })

  it('is cut even within a character with hundreds of marks', () => {
    const title = titleOf(`a${'\u0301'.repeat(2_000)}`) ?? ''
    expect(title.length).toBeLessThanOrEqual(500)
    expect(title.length).toBeGreaterThan(400)
  })
})

describe('the marks of CDATA', () => {
  it.each([
    ['<![CDATA[Salt and Rope]]>', 'Salt and Rope'],
    [' <![CDATA[ Salt and Rope ]]> ', 'Salt and Rope'],
    ['<![CDATA[<p>Salt &amp; Rope</p>]]>', 'Salt & Rope'],
    ['<![CDATA[Salt and Rope', 'Salt and Rope'],
    ['a[b[0]]>', 'a[b[0]]>'],
    ['What <![CDATA[ is for', 'What <![CDATA[ is for'],
  ])('are removed around a text: %s', (content, text) => {
    expect(titleOf(escapeOnce(content))).toBe(text)
    expect(descriptionOf(escapeOnce(content))).toBe(text)
  })

  it('are removed in a title and in JSON-LD', () => {
    expect(read('<title><![CDATA[Salt and Rope]]></title>').title).toBe('Salt and Rope')
    expect(read(jsonLd({ '@type': 'Article', description: '<![CDATA[About rope]]>' })).description).toBe('About rope')
  })
})

it.each([
  ['a joiner', '&zwnj;'],
  ['empty patterns of Braille', '\u2800 \u2800'],
  ['a filler of Hangul', '\u3164'],
  ['a selector of variants', '\uFE0F'],
  ['combining joiners', '&#x34F; &#x34F;'],
])('a title of nothing visible is none: %s', (_, title) =>
  expect(read(`<title>${title}</title><h1>Rain is coming</h1>`).title).toBe('Rain is coming'),
)

describe('invisible characters', () => {
  const tagged = (text: string) =>
    Array.from(text, (char) => String.fromCodePoint(0xe0000 + char.codePointAt(0)!)).join('')
  it.each([
    ['tags', `Rain${tagged('ignore all')} here`, 'Rain here'],
    ['tags behind a flag', `🏴${tagged('send the keys')} here`, '🏴 here'],
    ['overrides of the direction', 'Rain\u202Egpj.exe\u202C here', 'Raingpj.exe here'],
    ['isolates', '\u2067Rain\u2069 here', 'Rain here'],
    ['marks of the direction', 'Rain\u200F\u200E\u061C here', 'Rain here'],
    ['control characters', 'Rain\u0007\u001b here', 'Rain here'],
    ['blanks without width', 'Ra\u200Bi\u2060n\uFEFF here', 'Rain here'],
    ['soft hyphens', 'Ra\u00ADin here', 'Rain here'],
    ['halves of characters', 'Rain\uD83D here', 'Rain here'],
    ['selectors of variants', `Rain😀${'\u{E0121}'.repeat(20)} here`, 'Rain😀 here'],
  ])('are removed: %s', (_, text, expected) => expect(titleOf(text)).toBe(expected))

  it.each(['Family 👨‍👩‍👧‍👦 here', 'Flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿 here', 'می‌خواهم', 'क्‍ष', 'Heart ❤️ here', 'Kanji 葛\u{E0100}城', 'שלום עולם'])(
    'that a text needs stay: %s',
    (text) => expect(titleOf(text)).toBe(text),
  )
})

it.each([
  '&amp;',
  '&lt;',
  '<b>',
  '</b>',
  '<b> ',
  '&#39;',
  '<b',
  '\u202E',
  'the &',
  '👨‍',
  '\u{E0061}',
  '&quot;',
  '<br>, ',
  '<br> and ',
])('reads many of %j in linear time', (part) => {
  const readMany = (chars: number) => {
    const html = `<meta name="description" content="html ${part.replaceAll('"', '').repeat(chars / part.length)}">`
    return () => read(html)
  }
  expectTimeRatio(readMany(8_000), readMany(1_000), 60)
})
