import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../src/server/page/document/index.js'
import { rankCandidates } from '../../../src/server/page/find-candidates.js'

const ranked = (html: string, url = 'https://www.the-courier.example/news/story') =>
  rankCandidates(parseHtml(html, url))
const page = (lang: string, head: string, body: string) =>
  `<html lang="${lang}"><head>${head}</head><body><h1>Story</h1>${body}<p>Text.</p></body></html>`
const author = (name: string) => `<meta name="author" content="${name}">`
const site = (name: string) => `<meta property="og:site_name" content="${name}">`

describe('the person in a byline is the author rather than', () => {
  it.each<[what: string, lang: string, head: string, byline: string, person: string]>([
    ['the address of the site', 'de', author('zeitung.example'), 'Von Max Müller', 'Max Müller'],
    ['the address of another site', 'fr', author('LeJournal.example'), 'Par Amélie Dupont', 'Amélie Dupont'],
    [
      'a house of the publisher',
      'es',
      site('El Puerto') + author('Ediciones El Puerto'),
      'Por José Pérez',
      'José Pérez',
    ],
    ['a newspaper', 'en', author('Harbour Tribune'), 'By Jane Doe', 'Jane Doe'],
    ['an agency', 'en', author('AP'), 'By Jane Doe', 'Jane Doe'],
    ['an agency in German', 'de', author('Nordische Presseagentur'), 'Von Max Müller', 'Max Müller'],
    ['an agency in Italian', 'it', author('Agenzia Marittima'), 'di Giulia Rossi', 'Giulia Rossi'],
    ['an editorial office', 'pl', author('Redakcja Sportowa'), 'Autor: Anna Kowalska', 'Anna Kowalska'],
    ['an editorial office in Russian', 'ru', author('Редакция спорта'), 'Автор: Иван Петров', 'Иван Петров'],
    ['an editorial office in Japanese', 'ja', author('スポーツ編集部'), '文：山田太郎', '山田太郎'],
    ['an editorial office in Chinese', 'zh', author('体育编辑部'), '作者：张伟', '张伟'],
    ['a company', 'nl', author('Havenkrant Media BV'), 'Door Sanne de Vries', 'Sanne de Vries'],
    ['the staff', 'en', author('Courier Staff'), 'By Jane Doe', 'Jane Doe'],
    ['the web team', 'sv', author('Webteam'), 'Av Lars Åkesson', 'Lars Åkesson'],
  ])('%s', (_, lang, head, byline, person) =>
    expect(ranked(page(lang, head, `<p>${byline}</p>`)).author[0]?.value).toBe(person),
  )
})

describe('an organisation remains the author', () => {
  it.each<[what: string, html: string, name: string]>([
    ['of a page without another', page('en', author('Harbour Tribune'), ''), 'Harbour Tribune'],
    ['beside a place', page('en', author('AP'), '<p class="byline">BEIRUT</p>'), 'AP'],
    ['beside an account', page('en', author('Harbour Press'), '<p class="byline">jdoe</p>'), 'Harbour Press'],
  ])('%s', (_, html, name) => expect(ranked(html).author[0]?.value).toBe(name))
})

it('keeps a person who gave the site its name', () => {
  const html = page('en', site('Doe') + author('Jane Doe'), '<p class="byline">In Gardening Tips</p>')
  expect(ranked(html).author[0]).toMatchObject({ value: 'Jane Doe', reasons: [] })
})

it.each<[what: string, html: string, publisher: string]>([
  ['the title', page('en', `${site('Story')}<title>Story | The Courier</title>`, ''), 'The Courier'],
  [
    'the company',
    page(
      'sv',
      `<title>Story | The Courier</title><script type="application/ld+json">${JSON.stringify({
        '@type': 'Article',
        publisher: { '@type': 'Organization', name: 'Hamn & Media AB' },
      })}</script>`,
      '',
    ),
    'The Courier',
  ],
])('the site is the publisher rather than %s', (_, html, publisher) =>
  expect(ranked(html).publisher[0]?.value).toBe(publisher),
)

it('a company is the publisher of a page without the name of its site', () => {
  const publisher = { '@type': 'Organization', name: 'Hamn & Media AB' }
  const jsonLd = JSON.stringify({ '@type': 'Article', publisher })
  const html = page('sv', `<title>Story</title><script type="application/ld+json">${jsonLd}</script>`, '')
  expect(ranked(html).publisher[0]?.value).toBe('Hamn & Media AB')
})

it('states why an organisation lost', () => {
  const html = page('en', author('Harbour Tribune'), '<p>By Jane Doe</p>')
  expect(ranked(html).author[1]).toMatchObject({ value: 'Harbour Tribune', reasons: ['is an organisation'] })
})
