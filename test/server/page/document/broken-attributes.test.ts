// Covers tags whose attributes have quotes within quotes, or none at all.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { expectTimeRatio } from '../../../shared/time-ratio.js'

const read = (html: string) => {
  const { title, description, publisher } = findCandidates(parseHtml(html, 'https://courier.example/rain'))
  return { title: title[0], description: description[0], publisher: publisher[0] }
}

describe('a content with quotes within its quotes is read as a whole', () => {
  it.each([
    [
      '<meta name="twitter:title" content="Keeper " would speak up" before the vote">',
      'Keeper " would speak up" before the vote',
    ],
    [
      '<meta property="og:title" content="Keeper "would speak up" before the vote"/>',
      'Keeper "would speak up" before the vote',
    ],
    ['<meta property="og:title" content="Keeper "would speak up"" />', 'Keeper "would speak up"'],
    ['<meta property="og:title" content=""Rain" is coming">', '"Rain" is coming'],
    ['<meta content="Keeper "would speak up" today" property="og:title" />', 'Keeper "would speak up" today'],
    ['<meta content="The "x=1" rule" name="title" property="og:title" data-id="a">', 'The "x=1" rule'],
    ['<meta property="og:title" content="A 5" disk for Salt &amp; Rope">', 'A 5" disk for Salt & Rope'],
    ["<meta property='og:title' content='It's raining'>", "It's raining"],
    ["<meta property='og:title' content='The keeper's \"rain\"' class='x'>", 'The keeper\'s "rain"'],
    ['<META PROPERTY="og:title" CONTENT="Keeper "would" speak">', 'Keeper "would" speak'],
    ['<meta property="og:title" content = "Keeper "would" speak">', 'Keeper "would" speak'],
    ['<meta data-hid="a" property="og:title" content="Keeper „would" speak">', 'Keeper „would" speak'],
  ])('%s', (html, title) => expect(read(html).title).toBe(title))

  it.each([
    '<meta name=description content="How to write &lt;head&gt;&lt;title&gt; "properly" in HTML">',
    '<meta name=description content="A page about &lt;head&gt; &lt;meta name="description"&gt; tags">',
    `<meta name=description content="A <b>${' '.repeat(101)}<title> "tag"">`,
    '<meta name=description content="&gt;<meta "x">',
  ])('also with tags in it that are words: %s', (html) => {
    expect(read(`${html}<title>Rain</title>`).title).toBe('Rain')
  })

  it('in a description, too', () => {
    const html =
      '<meta name="description" content="The keeper said "yes", and left the "old" quay."><title>Rain</title>'
    expect(read(html)).toMatchObject({ title: 'Rain', description: 'The keeper said "yes", and left the "old" quay.' })
  })
})

describe('a content without quotes is read as a whole', () => {
  it.each([
    ['<meta property=og:title content=Rain is coming>', 'Rain is coming'],
    ['<meta content=Rain is coming, again property=og:title>', 'Rain is coming, again'],
    ['<meta property="og:title" content=Rain is coming />', 'Rain is coming'],
    ['<meta property=og:title content=Rain>', 'Rain'],
    ['<meta property=og:title content=Rain inertia>', 'Rain'],
    ['<meta property=og:title content=Rain data-rh>', 'Rain'],
    ['<meta property=og:title content=Rain data-rh=true>', 'Rain'],
    ['<meta data-hid=og:title property=og:title content="Rain is coming">', 'Rain is coming'],
  ])('%s', (html, title) => expect(read(html).title).toBe(title))
})

describe('a quote that is missing', () => {
  it('does not swallow the tags that follow', () => {
    const html = `<meta property="og:title" content="Rain is coming>
      <meta property="og:description" content="It rains on the quay.">
      <meta property="og:site_name" content="The Courier">`
    expect(read(html)).toEqual({
      title: 'Rain is coming',
      description: 'It rains on the quay.',
      publisher: 'The Courier',
    })
  })

  it('does not swallow several tags without line breaks', () => {
    const html =
      '<meta name="twitter:title" content="Rain is coming/><meta name="description" content="It rains."/><meta property="og:site_name" content="The Courier"/>'
    expect(read(html)).toMatchObject({ title: 'Rain is coming', publisher: 'The Courier' })
  })
})

describe('a title that is cut at a quote', () => {
  it.each([
    [
      '<title>Keeper "would speak up" | Courier</title><meta property="og:title" content="Keeper ">',
      'Keeper "would speak up"',
    ],
    ['<meta property="og:title" content="Keeper "><h1>Keeper “would speak up”</h1>', 'Keeper “would speak up”'],
    ['<title>x</title><meta property="og:title" content="Keeper "><h1>Keeper "speaks"</h1>', 'Keeper "speaks"'],
    ["<title>It's raining</title><meta property='og:title' content='It'>", "It's raining"],
    [
      '<meta name="twitter:title" content="Keeper " would speak up" today"><title>Keeper "would speak up" today | Courier</title><h1>Keeper "would speak up" today</h1>',
      'Keeper "would speak up" today',
    ],
    [
      // As a browser serialises the broken tag.
      '<title>Keeper "would speak up"</title><meta name="twitter:title" content="Keeper " would="" speak="" up"="">',
      'Keeper "would speak up"',
    ],
  ])('is not the title if the page states the whole one: %s', (html, title) => expect(read(html).title).toBe(title))
})

describe('an ordinary tag is read as it is', () => {
  it.each([
    ['<meta property="og:title" content="Keeper &quot;would speak up&quot;">', 'Keeper "would speak up"'],
    [`<meta property="og:title" content='Keeper "would speak up"'>`, 'Keeper "would speak up"'],
    [`<meta property="og:title" content="It's raining">`, "It's raining"],
    ['<meta property="og:title" content="a = b > c">', 'a = b > c'],
    ['<meta property="og:title" content="Rain"name="x">', 'Rain'],
    ['<meta property="og:title" content="Rain" hidden>', 'Rain'],
    ['<meta property="og:title" content="Rain" is coming>', 'Rain'],
    ['<meta property="og:title" content="Rain"><title>Rain, rain</title>', 'Rain'],
  ])('%s', (html, title) => expect(read(html).title).toBe(title))
})

it.each(['"', '" ', "'", ' a', ' "a"', ' name="a"', '><meta ', '=" ', '<'])(
  'reads many of %j in linear time',
  (part) => {
    const readMany = (chars: number) => () =>
      read(`<meta name="description" content="x${part.repeat(chars / part.length)}">`)
    expectTimeRatio(readMany(16_000), readMany(2_000), 60)
  },
)
