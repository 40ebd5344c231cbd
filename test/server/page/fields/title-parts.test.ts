import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { expectTimeRatio } from '../../../shared/time-ratio.js'
import { og } from '../declarations.js'

const candidates = (html: string, url: string) => findCandidates(parseHtml(html, url))

describe('a title that the page repeats', () => {
  it.each<[what: string, html: string, title: string]>([
    [
      'with the name of a section behind it',
      `${og('title', 'Rain is coming | The Weather Desk - Courier')}<h1>Rain is coming</h1>`,
      'Rain is coming',
    ],
    [
      'with other quotes, and a section behind it',
      `${og('title', "Why the rain won't stop | Courier Weather")}<h1>Why the rain won’t stop</h1>`,
      "Why the rain won't stop",
    ],
    [
      'with other quotes and dashes, and a section in front of it',
      `${og('site_name', 'Courier')}${og('title', 'Courier | "Rain" - and more of it')}<h1>“Rain” – and more of it</h1>`,
      '"Rain" - and more of it',
    ],
    [
      'with its authors behind it',
      `${og('title', 'Rain is coming - Jane Doe and Al Roe')}<title>Rain is coming - Jane Doe and Al Roe - Courier</title><h1>Rain is coming</h1>`,
      'Rain is coming',
    ],
    [
      'with the site in front of it',
      `${og('site_name', 'Kurier')}${og('title', 'Kurier | Der Regen kommt')}<h1>Der Regen kommt</h1>`,
      'Der Regen kommt',
    ],
    [
      'with the site in a headline of the publishing system',
      '<meta name="headline" content="La pluie arrive - Le Courrier"><title>La pluie arrive - Le Courrier</title><h1>La pluie arrive</h1>',
      'La pluie arrive',
    ],
    [
      'in other capitals, with the site in a phrase behind it',
      `${og('site_name', 'Kurier')}${og('title', 'Regnet Kommer I Morgen - En artikel fra Kurier')}<h1>Regnet kommer i morgen</h1>`,
      'Regnet Kommer I Morgen',
    ],
    [
      'with a preposition and the site behind it',
      `${og('title', 'Rain Soup With Dumplings Recipe by Kurier')}<h1>Rain Soup With Dumplings</h1>`,
      'Rain Soup With Dumplings',
    ],
    [
      'with a preposition and the author behind it',
      `${og('title', 'Der Regen kommt von Hafenkind | Kurier')}<meta name="author" content="Hafenkind"><h1>Der Regen kommt</h1>`,
      'Der Regen kommt',
    ],
    [
      'with the kind of page in front of it',
      `${og('title', 'Recette - La soupe de pluie')}<h1>La soupe de pluie</h1>`,
      'La soupe de pluie',
    ],
    [
      'with a remark in brackets behind the site',
      `${og('title', 'De regen komt eraan | Kurier.example (deel van Haven)')}<h1>De regen komt eraan</h1>`,
      'De regen komt eraan',
    ],
    [
      'with two names of the site behind it',
      `${og('site_name', 'Haven Media')}${og('title', 'De regen komt - Kurier | Haven Media')}`,
      'De regen komt',
    ],
    [
      'with the site in the middle',
      `${og('title', 'Esik az eső - Kurier.example - Hírek')}<h1>Keresés</h1>`,
      'Esik az eső',
    ],
    [
      'with a longer name of the site',
      `<link rel="canonical" href="https://harbourkurier.example/">${og('title', 'Rain is coming | Harbourkurier Weather')}`,
      'Rain is coming',
    ],
    [
      'with a path of sections in front of it',
      '<title>Weather > Sea > Rain is coming</title><h1>Rain is coming</h1>',
      'Rain is coming',
    ],
    [
      'with a separator at its end',
      `${og('title', 'Rain is coming - | Kurier')}<h1>Rain is coming</h1>`,
      'Rain is coming',
    ],
    ['with a bullet', `${og('title', '大雨将至 • 天气专栏')}<title>大雨将至</title><h1>大雨将至</h1>`, '大雨将至'],
    [
      'in a heading of a lower level',
      `${og('title', 'Llega la lluvia a las islas del norte | El Correo')}<h2>Llega la lluvia a las islas del norte</h2>`,
      'Llega la lluvia a las islas del norte',
    ],
    [
      'that is most of it, in a heading of a lower level',
      '<title>A rain that lasts for forty days | Ark/Flood | News</title><a href="/">News</a><h2>A rain that lasts for forty days</h2>',
      'A rain that lasts for forty days',
    ],
    [
      'below the name of a blog in the first heading',
      '<title>Harbour Notes » Blog Archive » Rain is coming</title><h1><a href="/blog/">Harbour Notes</a></h1><h2>Rain is coming</h2>',
      'Rain is coming',
    ],
    [
      'below a logo that wraps its heading',
      '<title>雨が降る：港ニュース</title><a href="/?from=logo"><h1>港ニュース</h1></a><h1>雨が降る</h1>',
      '雨が降る',
    ],
    [
      'below an empty heading',
      '<title>Deszcz nadchodzi - Kurier</title><h1></h1><div>Deszcz nadchodzi</div>',
      'Deszcz nadchodzi',
    ],
  ])('%s', (_, html, title) => expect(candidates(html, 'https://kurier.example/blog/2024/rain').title[0]).toBe(title))

  it.each<[what: string, html: string, title: string]>([
    [
      'with a subject in front of a colon',
      `${og('title', 'Rain: what to expect')}<h1>Rain</h1>`,
      'Rain: what to expect',
    ],
    ['that is a single word', `${og('title', 'Rain – what to expect')}<h1>Rain</h1>`, 'Rain – what to expect'],
    [
      'whose heading names the series',
      `${og('title', 'Harbour Talk - Jane Doe')}<h1><a href="/blog/">Harbour Talk</a>: Jane Doe</h1>`,
      'Harbour Talk - Jane Doe',
    ],
    [
      'in which a heading of a lower level names the site',
      `${og('title', 'El Correo | Llega la lluvia')}<h2>El Correo</h2>`,
      'El Correo | Llega la lluvia',
    ],
    [
      'in which plain text names the site',
      '<title>Rain is coming - Daily Courier</title><div>Daily Courier</div><p>Rain is coming to us.</p>',
      'Rain is coming - Daily Courier',
    ],
    [
      'in which a heading of a lower level names the series',
      `${og('title', 'Harbour Talk - Jane Doe')}<h2>Harbour Talk</h2>`,
      'Harbour Talk - Jane Doe',
    ],
    [
      'in front of which stands its subject',
      `${og('title', 'Nordsee - Der Regen kommt')}<h1>Der Regen kommt</h1>`,
      'Nordsee - Der Regen kommt',
    ],
    [
      'whose heading has another dash',
      `${og('title', 'Der Regen kommt - Wasser für alle!')}<h1>Der Regen kommt – Wasser für alle!</h1><h2>Der Regen kommt</h2>`,
      'Der Regen kommt - Wasser für alle!',
    ],
    [
      'with a preposition and a place behind the heading',
      `${og('title', 'Rain and Wind in Lisbon')}<h1>Rain and Wind</h1>`,
      'Rain and Wind in Lisbon',
    ],
  ])('is whole %s', (_, html, title) =>
    expect(candidates(html, 'https://kurier.example/blog/2024/rain').title[0]).toBe(title),
  )
})

describe('every separator of a title from its site', () => {
  const NAME = og('site_name', 'Quay Paper')
  const read = (html: string) => {
    const { title, publisher } = candidates(html, 'https://kurier.example/a')
    return [title[0], publisher[0]]
  }

  it.each('| – — - · • » « ⋆ ⋅ * ~ &gt; &lt; ‹ › / │ ┃ ¦ ❘ ― ‒ ∙ ‧ ・ ● ◆ ★ ✦ ✩ @'.split(' '))('%s', (sign) => {
    const isFound = ['Rain is coming', 'Quay Paper']
    const [behind, before] = [`Rain is coming ${sign} Quay Paper`, `Quay Paper ${sign} Rain is coming`]
    expect(read(`<title>${behind}</title>${NAME}`)).toEqual(isFound)
    expect(read(`<title>${before}</title>${NAME}`)).toEqual(isFound)
    expect(read(`${og('title', behind)}${NAME}`)).toEqual(isFound)
    expect(read(`<title>${behind}</title><h1>Rain is coming</h1>`)).toEqual(isFound)
    expect(read(`<title>${before}</title>${og('title', 'Rain is coming')}`)).toEqual(isFound)
  })

  it.each(['&amp;#8211;', '&amp;raquo;', '&amp;ndash;', '&amp;#124;', '&amp;amp;ndash;', '&amp;mdash;', '&amp;gt;'])(
    'escaped twice: %s',
    (sign) => {
      const title = `Rain is coming ${sign} Quay Paper`
      const html = `<title>${title}</title>${og('title', title)}${NAME}`
      expect(candidates(html, 'https://kurier.example/a').title[0]).toBe('Rain is coming')
    },
  )

  it.each([
    ['in the name', `${og('site_name', 'Quay &amp;amp; Rope')}<title>Rain | Quay &amp; Rope</title>`],
    ['in the title', `${og('site_name', 'Quay &amp; Rope')}<title>Rain | Quay &amp;amp; Rope</title>`],
    ['in both', `${og('site_name', 'Quay &amp;amp; Rope')}<title>Rain | Quay &amp;amp; Rope</title>`],
  ])('and a name that is escaped twice: %s', (_, html) =>
    expect(candidates(html, 'https://kurier.example/a').title[0]).toBe('Rain'),
  )

  it.each([
    'Why is Map&lt;string, a&gt; slow?',
    'What is a Map&lt;string, a&gt;',
    'Such a day~',
    'Das ‹Boot›',
    'Sea ~ land and sky',
    'a &lt; b and c &gt; d',
    '5 * 3 &gt; 12',
    '*Rain*',
    'Sea ⋆ Sand',
    'Rock ★ Star and more ● than that',
    'Peter・Pan',
    'Lunch @ Joe’s',
  ])('is not one within a title: %s', (title) =>
    expect(candidates(`<title>${title}</title>${NAME}`, 'https://kurier.example/a').title[0]).toBe(
      title.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
    ),
  )
})

describe('the site in a title', () => {
  it.each<[what: string, html: string, url: string, site: string | undefined]>([
    [
      'behind a section',
      '<title>Rain is coming : News : The Courier</title><h1>Rain is coming</h1>',
      'https://c.example/a',
      'The Courier',
    ],
    [
      'behind a date',
      '<title>Rain is coming - 26 Sep 2011 - Harbour Age</title><h1>Rain is coming</h1>',
      'https://c.example/a',
      'Harbour Age',
    ],
    [
      'in front of a section',
      '<title>雨が降る - HARBOR日本語 - 地域</title><h1>雨が降る</h1>',
      'https://www.harbor.example/a',
      'HARBOR日本語',
    ],
    [
      'behind a section that a link to a home page names, too',
      '<title>비가 온다 : 뉴스 : 항구일보</title><a href="https://news.port.example">뉴스</a><h1>비가 온다</h1>',
      'https://news.port.example/a',
      '항구일보',
    ],
    [
      'behind a section, Chinese',
      '<title>大雨将至_科技_港口网</title><h1>大雨将至</h1>',
      'https://c.example/a',
      '港口网',
    ],
    [
      'behind a section with a space, Chinese',
      '<title>大雨将至 _探索者 _港口网</title><h1>大雨将至</h1>',
      'https://c.example/a',
      '港口网',
    ],
    [
      'with a line in its name',
      '<title>Rain is coming - the_harbour</title><h1>Rain is coming</h1>',
      'https://c.example/a',
      'the_harbour',
    ],
    [
      'in front of a section at the end',
      '<title>Rain is coming | Harbour Review | News</title><h1>Rain is coming</h1>',
      'https://c.example/a',
      'Harbour Review',
    ],
    [
      'behind a section at the start',
      '<title>Nachrichten - Hafenblatt - Der Regen kommt</title><h1>Der Regen kommt</h1>',
      'https://c.example/a',
      'Hafenblatt',
    ],
    [
      'with a slogan',
      '<title>Der Regen kommt | Kurier.example - Nachrichten aus dem Norden</title><h1>Der Regen kommt</h1>',
      'https://www.kurier.example/a',
      'Kurier.example',
    ],
    [
      'with the end of the host',
      '<title>Back in the rain - WMO.example</title><h1>Rain is coming</h1>',
      'https://online.wmo.example/a',
      'WMO.example',
    ],
    ['with accents', '<title>La pluie arrive - Le Préfet</title>', 'https://www.leprefet.example/a', 'Le Préfet'],
    [
      'in front of an archive',
      '<title>Notas del Puerto » Blog Archive » Llega la lluvia al norte de las islas</title><h1><a href="/x/">Notas del Puerto</a></h1><h2>Llega la lluvia al norte de las islas</h2>',
      'https://b.example/x/a',
      'Notas del Puerto',
    ],
  ])('is found %s', (_, html, url, site) => expect(candidates(html, url).publisher[0]).toBe(site))
})

describe('the site in brackets at an end of a title', () => {
  it.each([
    ['of a known site', 'Rain on March 26 [Harbor.example]', 'Rain on March 26'],
    ['that is not one', 'Rain on March 26 [Video]', 'Rain on March 26 [Video]'],
    ['that is alone', '[Harbor.example]', '[Harbor.example]'],
    ['in parentheses', 'Rain on March 26 (Harbor)', 'Rain on March 26'],
    ['in brackets of Japanese', '3月26日の雨【Harbor】', '3月26日の雨'],
    ['in wide parentheses', '3月26日の雨（Harbor）', '3月26日の雨'],
    ['in front of a title', '[Harbor] Rain on March 26', 'Rain on March 26'],
    ['in front of a Japanese title', '【Harbor】3月26日の雨', '3月26日の雨'],
    ['that is not one, in front of a title', '【速報】3月26日の雨', '【速報】3月26日の雨'],
    ['that is not one, in parentheses', 'Rain (programming language)', 'Rain (programming language)'],
    ['within a title', 'Why (Harbor) is closed', 'Why (Harbor) is closed'],
    ['alone in parentheses', '(Harbor)', '(Harbor)'],
  ])('%s', (_, full, title) =>
    expect(candidates(`<title>${full}</title>`, 'https://harbor.example/a').title[0]).toBe(title),
  )
})

describe('the site in a link to its home page', () => {
  it.each<[what: string, html: string, url: string, site: string | undefined]>([
    [
      'as the text of its logo',
      '<a href="/"><img src="/l.png" alt="HARBOR TODAY"></a><h1>Rain</h1>',
      'https://www.harbortoday.example/a',
      'HARBOR TODAY',
    ],
    [
      'as its text',
      '<a href="https://www.leprefet.example/">Le Préfet</a><h1>Pluie</h1>',
      'https://www.leprefet.example/a',
      'Le Préfet',
    ],
    [
      'with a query',
      '<a href="/?nav=1"><img alt="Der Kurier" src="/l.png"></a><h1>Regen</h1>',
      'https://derkurier.example/a',
      'Der Kurier',
    ],
    [
      'behind the title',
      '<a href="/"><img alt="Газета Порта" src="/l.png"></a><title>Идёт дождь - Газета Порта</title>',
      'https://gp.example/a',
      'Газета Порта',
    ],
    [
      'before what its logo says, too',
      '<a href="/"><img src="/l.png" alt="Hafenkurier - Nachrichten aus dem Norden"></a><h1>Regen</h1>',
      'https://www.hafenkurier.example/a',
      'Hafenkurier',
    ],
    [
      'without the word that its logo is one',
      '<a href="/"><img src="/l.png" alt="Logo de El Faro"></a><h1>Lluvia</h1>',
      'https://elfaro.example/a',
      'El Faro',
    ],
    [
      'as the whole host',
      '<a href="/"><img src="/l.png" alt="Harbor.example Logo"></a><h1>Rain</h1>',
      'https://www.harbor.example/a',
      'Harbor.example',
    ],
    [
      'not when it says only a part of the host',
      '<a href="/">Forums</a><title>Rain - Port Courier</title><h1>Rain</h1>',
      'https://forums.portcourier.example/a',
      'Port Courier',
    ],
    [
      'not when it says something else',
      '<a href="/">Home</a><a href="/">Skip to content</a><h1>Rain</h1>',
      'https://www.harbortoday.example/a',
      undefined,
    ],
  ])('%s', (_, html, url, site) => expect(candidates(html, url).publisher[0]).toBe(site))
})

it('does not name a site by its account when it states its name', () => {
  const html = `${og('site_name', '@courierdotexample')}<title>Rain is coming | Courier.example</title>`
  expect(candidates(html, 'https://www.courier.example/a').publisher[0]).toBe('Courier.example')
})

it('splits hostile titles in linear time', () => {
  const readAll = (size: number) => () => {
    for (const part of [' | ', ' - a', '：', '--', ' » ', ': ', '_'])
      candidates(
        `<title>${part.repeat(5 * size)}</title>${og('title', part.repeat(size / 5))}<a href="/">${part.repeat(3 * size)}</a>${`<h1>${part}</h1>`.repeat(size / 2)}`,
        'https://courier.example/a',
      )
  }
  expectTimeRatio(readAll(1_000), readAll(125), 40)
})

it('reads a page with many long titles full of separators in linear time', () => {
  const read = (titles: number) => () => {
    const title = 'Courier | '.repeat(49)
    const page = `${og('title', title).repeat(titles)}<title>${title}</title>${`<h1>${'| '.repeat(900)}</h1>`.repeat(titles)}`
    expect(candidates(page, 'https://courier.example/rain').title[0]).toMatch(/^Courier/)
  }
  expectTimeRatio(read(48), read(6), 40)
})

describe('what stands before a colon', () => {
  const read = (html: string, url: string) => {
    const { title, publisher } = candidates(html, url)
    return [title[0], publisher[0]]
  }

  it.each<[title: string, url: string, html?: string]>([
    ['SQLite Syntax: conflict-clause', 'https://sqlite.org/syntax/conflict-clause.html'],
    ['SQLite Syntax: conflict-clause', 'https://sqlite.org/syntax/clause', '<h1>conflict-clause</h1>'],
    ['SQLite Syntax: conflict-clause', 'https://sqlite.org/syntax/clause', '<a href="/"><img alt="SQLite"></a>'],
    ['Climate change: Rain is coming', 'https://courier.example/rain', '<h1>Rain is coming</h1>'],
    ['Wikipedia help: How to edit', 'https://en.wikipedia.org/wiki/Help', '<h1>How to edit</h1>'],
    ['Review: The Harbour', 'https://courier.example/rain', '<h1>The Harbour</h1>'],
    ['Python 3: print', 'https://python.example/print', '<h1>print</h1>'],
    ['Re: the harbour', 'https://lists.example/1'],
    ['Alien: Romulus', 'https://films.example/alien', '<h1>Romulus</h1>'],
  ])('is part of the title: %s on %s', (title, url, html = '') =>
    expect(read(`<title>${title}</title>${html}`, url)[0]).toBe(title),
  )

  it.each<[full: string, title: string, publisher: string, url: string, html?: string]>([
    ['SQLite: conflict-clause', 'conflict-clause', 'SQLite', 'https://sqlite.org/clause', '<h1>conflict-clause</h1>'],
    ['The Courier: Rain', 'Rain', 'The Courier', 'https://courier.example/rain', '<h1>Rain</h1>'],
    [
      'Harbour Wire: Rain',
      'Rain',
      'Harbour Wire',
      'https://hw.example/rain',
      '<a href="/">Harbour Wire</a><h1>Rain</h1>',
    ],
    ['Harbour Wire: Rain', 'Rain', 'Harbour Wire', 'https://hw.example/rain', og('site_name', 'Harbour Wire')],
    ['Kurier：雨', '雨', 'Kurier', 'https://kurier.example/rain', '<h1>雨</h1>'],
  ])('is the site if host, home link or page say so: %s', (full, title, publisher, url, html = '') =>
    expect(read(`<title>${full}</title>${html}`, url)).toEqual([title, publisher]),
  )
})

describe('a counter in front of a title', () => {
  const titleOf = (html: string) => candidates(html, 'https://courier.example/rain').title[0]

  it.each([
    ['(4) Rain is coming', 'Rain is coming'],
    ['(99+) Rain is coming', 'Rain is coming'],
    ['[3] Rain is coming', 'Rain is coming'],
    ['• Rain is coming', 'Rain is coming'],
    ['* (1) Rain is coming', 'Rain is coming'],
    ['(1) Rain is coming | Courier', 'Rain is coming'],
    ['(1) Rain is coming - Harbour Tube', 'Rain is coming - Harbour Tube'],
  ])('is no part of it: %s', (title, expected) => expect(titleOf(`<title>${title}</title>`)).toBe(expected))

  it.each([
    ['(500) Days of Summer', '<h1>(500) Days of Summer</h1>'],
    ['(500) Days of Summer', og('title', '(500) Days of Summer')],
    ['(2024) Annual report', ''],
    ['(Un)usual rain', ''],
    ['(4)', ''],
    ['Rain (4)', ''],
    ['[Solved] Rain', ''],
    ['4 ways to stay dry', ''],
  ])('that is part of it stays: %s', (title, html) => expect(titleOf(`<title>${title}</title>${html}`)).toBe(title))
})
