import { describe, expect, it } from 'vitest'
import { findCandidates } from '../../../src/server/page/find-candidates.js'
import { parseHtml } from '../../../src/server/page/document/index.js'
import type { MetadataField } from '../../../src/server/page/fields/index.js'
import { expectTimeRatio } from '../../shared/time-ratio.js'
import { jsonLd, meta } from './declarations.js'

const PAGE_URL = 'https://site.example/news/story'

const candidatesOf = (html: string) => findCandidates(parseHtml(html, PAGE_URL))
const bestCandidate = (field: MetadataField, html: string) => candidatesOf(html)[field][0]
const script = (text: string) => `<script type="application/ld+json">${text}</script>`

describe('the sources of each field', () => {
  it.each<[field: MetadataField, html: string, value: string]>([
    ['title', meta('og:title', 'Open'), 'Open'],
    ['title', '<meta name="twitter:title" content="Card">', 'Card'],
    ['title', jsonLd({ '@type': 'NewsArticle', headline: 'Linked' }), 'Linked'],
    ['title', '<meta name="DC.Title" content="Dublin">', 'Dublin'],
    ['title', '<title> Plain\n title </title>', 'Plain title'],
    ['title', jsonLd({ '@type': 'Product', name: 'Thing' }), 'Thing'],
    ['title', '<title></title><body><h1>Head<em>ing</em></h1>', 'Heading'],
    ['title', '<title></title><title data-rh="true">Filled</title>', 'Filled'],
    ['title', '<title> </title><title>Filled</title><title>Other</title>', 'Filled'],
    ['title', '<title>First</title><title>Second</title>', 'First'],
    ['title', '<svg><title>Icon</title></svg><title>Page</title>', 'Page'],
    ['description', meta('og:description', 'Open'), 'Open'],
    ['description', '<meta name="twitter:description" content="Card">', 'Card'],
    ['description', '<meta name="description" content="Plain">', 'Plain'],
    ['description', '<meta itemprop="description" content="Item">', 'Item'],
    ['description', jsonLd({ '@type': 'Recipe', description: 'Linked' }), 'Linked'],
    ['description', jsonLd({ '@type': 'WebPage', description: 'Page' }), 'Page'],
    ['title', '<meta name="twitter:title" value="Rain">', 'Rain'],
    ['title', '<meta name="twitter:title" content="Rain" value="Snow">', 'Rain'],
    ['lang', '<html lang="en-US">', 'en'],
    ['lang', '<html xml:lang="PT_BR">', 'pt'],
    ['lang', '<html class="page"><body lang="es">', 'es'],
    ['lang', '<html lang=""><body lang="es">', 'es'],
    ['lang', '<html lang="en"><body lang="es">', 'en'],
    ['lang', '<html lang="und"><meta http-equiv="content-language" content="fr, en">', 'fr'],
    ['lang', '<html lang="mul">' + meta('og:locale', 'fr_FR'), 'fr'],
    ['lang', '<html lang="zxx-x"><meta name="language" content="deu">', 'de'],
    ['lang', '<meta http-equiv="content-language" content="de, en">', 'de'],
    ['lang', meta('og:locale', 'fr_FR'), 'fr'],
    ['lang', jsonLd({ '@type': 'Article', inLanguage: 'es' }), 'es'],
    ['lang', jsonLd({ '@type': 'WebSite', inLanguage: 'nl' }), 'nl'],
    ['author', jsonLd({ '@type': 'Article', author: { name: 'Ann Lee' } }), 'Ann Lee'],
    ['author', jsonLd({ '@type': 'Article', author: [{ name: 'Ann Lee' }, { name: 'Bo' }] }), 'Ann Lee & Bo'],
    ['author', jsonLd({ '@type': 'Article', author: 'Ann Lee' }), 'Ann Lee'],
    ['author', '<meta name="author" content="Ann Lee">', 'Ann Lee'],
    ['author', meta('article:author', 'Ann Lee'), 'Ann Lee'],
    ['author', jsonLd({ '@type': 'Article', creator: ['Ann Lee'] }), 'Ann Lee'],
    ['author', '<a rel="author" href="/ann">Ann Lee</a>', 'Ann Lee'],
    ['author', '<p itemprop="author">By Ann Lee</p>', 'Ann Lee'],
    ['author', '<p itemprop="author" itemscope>By <b itemprop="name">Ann Lee</b>, reporter</p>', 'Ann Lee'],
    ['author', '<p class="byline">By Ann Lee</p>', 'Ann Lee'],
    ['title', '<div itemscope itemtype="https://schema.org/Article"><b itemprop="headline">Item</b></div>', 'Item'],
    ['description', '<div itemscope><p itemprop="description">Item</p></div>', 'Item'],
    [
      'image',
      '<div itemscope><img src="/first.png"><img itemprop="image" src="/i.png"></div>',
      'https://site.example/i.png',
    ],
    ['image', '<div itemscope><link itemprop="thumbnailUrl" href="/i.png"></div>', 'https://site.example/i.png'],
    ['date', '<div itemscope><meta itemprop="uploadDate" content="2026-01-31"></div>', '2026-01-31T00:00:00.000Z'],
    [
      'date',
      '<div itemscope><i itemprop="dateModified" content="2026-01-31">now</i></div>',
      '2026-01-31T00:00:00.000Z',
    ],
    [
      'video',
      '<div itemscope itemtype="https://schema.org/VideoObject"><link itemprop="contentUrl" href="/v.mp4"></div>',
      'https://site.example/v.mp4',
    ],
    ['audio', '<div itemscope><meta itemprop="contentUrl" content="/a.mp3"></div>', 'https://site.example/a.mp3'],
    ['publisher', meta('og:site_name', 'The Site'), 'The Site'],
    ['publisher', jsonLd({ '@type': 'Article', publisher: { name: 'The House' } }), 'The House'],
    ['publisher', jsonLd({ '@type': 'WebSite', name: 'The Web' }), 'The Web'],
    ['publisher', '<meta name="application-name" content="The App">', 'The App'],
    ['publisher', '<p itemprop="publisher" itemscope><meta itemprop="name" content="The House"></p>', 'The House'],
    ['publisher', jsonLd({ '@type': 'NewsMediaOrganization', name: 'The Org' }), 'The Org'],
    ['publisher', '<title>Story | The Site</title><h1>Story</h1>', 'The Site'],
    ['publisher', '<title>The Site: Story</title><h1>Story</h1>', 'The Site'],
    ['publisher', '<meta name="twitter:site" content="@thesite">', 'thesite'],
    ['date', meta('article:published_time', '2026-01-31'), '2026-01-31T00:00:00.000Z'],
    ['date', jsonLd({ '@type': 'Article', datePublished: '2026-01-31' }), '2026-01-31T00:00:00.000Z'],
    ['date', jsonLd({ '@type': 'VideoObject', uploadDate: '2026-01-31' }), '2026-01-31T00:00:00.000Z'],
    ['date', '<meta name="pubdate" content="31 Jan 2026">', '2026-01-31T00:00:00.000Z'],
    ['date', '<i itemprop="datePublished" content="2026-01-31">soon</i>', '2026-01-31T00:00:00.000Z'],
    ['date', '<time datetime="2026-01-31">soon</time>', '2026-01-31T00:00:00.000Z'],
    ['date', '<p class="post-date">January 31, 2026</p>', '2026-01-31T00:00:00.000Z'],
    ['date', meta('article:modified_time', '2026-01-31'), '2026-01-31T00:00:00.000Z'],
    ['url', '<link rel="canonical" href="/own">', 'https://site.example/own'],
    ['url', meta('og:url', 'https://site.example/own'), 'https://site.example/own'],
    ['url', '', PAGE_URL],
    ['image', meta('og:image', '/i.png'), 'https://site.example/i.png'],
    ['image', '<meta name="twitter:image" content="i.png">', 'https://site.example/news/i.png'],
    ['image', jsonLd({ '@type': 'Article', image: ['/i.png'] }), 'https://site.example/i.png'],
    ['image', jsonLd({ '@type': 'Article', image: { url: '/i.png' } }), 'https://site.example/i.png'],
    ['image', '<link rel="image_src" href="//cdn.example/i.png">', 'https://cdn.example/i.png'],
    ['image', '<video poster="/p.jpg"></video>', 'https://site.example/p.jpg'],
    [
      'image',
      '<img src="/avatar.png"><img src="data:image/gif;base64,x"><img src="/i.png">',
      'https://site.example/i.png',
    ],
    ['logo', meta('og:logo', '/l.png'), 'https://site.example/l.png'],
    ['logo', jsonLd({ '@type': 'Article', publisher: { logo: { url: '/l.png' } } }), 'https://site.example/l.png'],
    ['logo', jsonLd({ '@type': 'Organization', logo: '/l.png' }), 'https://site.example/l.png'],
    [
      'logo',
      '<link rel="shortcut icon" href="/s.ico"><link rel="icon" sizes="96x96" href="/b.png">',
      'https://site.example/b.png',
    ],
    [
      'logo',
      '<link rel="icon" href="/s.ico"><link rel="apple-touch-icon" href="/a.png">',
      'https://site.example/a.png',
    ],
    [
      'logo',
      '<link rel="icon" href="/icon-48x48.png"><link rel="icon" href="/icon-196x196.png">',
      'https://site.example/icon-196x196.png',
    ],
    [
      'logo',
      '<link rel="icon" sizes="16x16 256x256" href="/b.ico"><link rel="icon" sizes="192x192" href="/m.png">',
      'https://site.example/b.ico',
    ],
    [
      'logo',
      '<link rel="icon" sizes="600x60" href="/w.png"><link rel="icon" sizes="32x32" href="/s.png">',
      'https://site.example/s.png',
    ],
    ['logo', '<link rel="mask-icon" href="/m.svg"><link rel="icon" href="/s.ico">', 'https://site.example/s.ico'],
    [
      'logo',
      '<link rel="icon" href="/s.ico"><link rel="icon" type="image/svg+xml" sizes="any" href="/s.svg">',
      'https://site.example/s.svg',
    ],
    [
      'logo',
      `<link rel="icon" sizes="192x192" href="/b.png">${jsonLd({ '@type': 'Organization', logo: '/wide.png' })}`,
      'https://site.example/b.png',
    ],
    [
      'logo',
      `<link rel="icon" sizes="16x16" href="/s.png">${jsonLd({ '@type': 'Organization', logo: '/l.png' })}`,
      'https://site.example/l.png',
    ],
    ['logo', '<img class="site-logo" src="/l.svg">', 'https://site.example/l.svg'],
    ['logo', '', 'https://site.example/favicon.ico'],
    ['audio', meta('og:audio', '/a.mp3'), 'https://site.example/a.mp3'],
    [
      'audio',
      jsonLd({ '@type': 'PodcastEpisode', associatedMedia: { contentUrl: '/a.mp3' } }),
      'https://site.example/a.mp3',
    ],
    ['audio', jsonLd({ '@type': 'AudioObject', contentUrl: '/a.mp3' }), 'https://site.example/a.mp3'],
    ['audio', '<audio><source type="audio/mpeg" src="/a.mp3"></audio>', 'https://site.example/a.mp3'],
    ['audio', '<a href="/a.mp3?download">Listen</a>', 'https://site.example/a.mp3?download'],
    ['video', meta('og:video', '/v.mp4'), 'https://site.example/v.mp4'],
    ['video', '<meta name="twitter:player:stream" content="/v.mp4">', 'https://site.example/v.mp4'],
    ['video', jsonLd({ '@type': 'VideoObject', contentUrl: '/v.mp4' }), 'https://site.example/v.mp4'],
    ['video', '<video src="/v.mp4"></video>', 'https://site.example/v.mp4'],
  ])('%s in %s', (field, html, value) => expect(bestCandidate(field, html)).toBe(value))
})

describe('values that are ignored', () => {
  it.each<[field: MetadataField, html: string]>([
    ['author', '<meta name="author" content="https://facebook.com/ann">'],
    ['author', '<a rel="author">Ann</a><a rel="author">Bo</a>'],
    ['author', jsonLd([1, 2, 3].map((n) => ({ '@type': 'BlogPosting', author: `Author ${n}` })))],
    ['author', jsonLd({ '@type': 'Product', brand: { name: 'Brand' } })],
    ['publisher', '<title>Story | Part two</title>'],
    ['title', '<b itemprop="headline">No item</b>'],
    ['title', '<div itemscope><b itemprop="headline">One</b></div><div itemscope><b itemprop="headline">Two</b></div>'],
    ['description', '<div itemscope itemtype="https://schema.org/Person"><p itemprop="description">A writer</p></div>'],
    ['image', '<div itemscope itemtype="https://schema.org/Person"><img itemprop="image" src="/author.png"></div>'],
    ['description', '<div itemscope></div><p itemprop="description">Beside it</p>'],
    ['date', '<time datetime="2026-01-30">a</time><time datetime="2026-01-31">b</time>'],
    ['date', '<p class="date">9 days ago</p>'],
    ['date', '<p class="date">9 days ago (2026)</p>'],
    ['date', meta('date', 'May 2026')],
    ['date', meta('date', '2026')],
    ['date', meta('date', '2026-13-45')],
    ['date', meta('article:published_time', '0001-01-01T00:00:00Z')],
    ['image', meta('og:image', 'data:image/png;base64,xxxx')],
    ['image', meta('og:image', 'javascript:alert(1)')],
    ['audio', '<a href="/edition/au">Australia</a>'],
    ['audio', '<a href="/1.mp3">1</a><a href="/2.mp3">2</a>'],
    ['video', `${meta('og:video', 'https://player.example/1')}${meta('og:video:type', 'text/html')}`],
    ['audio', jsonLd({ '@type': 'ImageObject', contentUrl: '/i.jpg' })],
    ['title', '<script><title>No</title></script>'],
    ['lang', '<html lang="x">'],
  ])('%s from %s', (field, html) => expect(bestCandidate(field, html)).toBeUndefined())
})

describe('candidates', () => {
  it('are in order of preference, without duplicates', () => {
    const html = `<title>Plain</title>${meta('twitter:title', 'Card')}${meta('og:title', 'Open')}<h1>Plain</h1>`
    expect(candidatesOf(html).title).toEqual(['Open', 'Card', 'Plain'])
  })

  it('prefer the date of publication to the date of a modification', () => {
    const html =
      meta('article:modified_time', '2026-02-01') + jsonLd({ '@type': 'Article', datePublished: '2026-01-31' })
    expect(bestCandidate('date', html)).toBe('2026-01-31T00:00:00.000Z')
  })

  it('come from the article with the heading, not from its neighbours', () => {
    const html = `
      <article><h1>Story</h1><a rel="author">Ann</a><time datetime="2026-01-31">then</time></article>
      <article><h2>Other</h2><a rel="author">Bo</a><time datetime="2020-01-01">before</time></article>`
    expect(candidatesOf(html)).toMatchObject({ author: ['Ann'], date: ['2026-01-31T00:00:00.000Z'] })
  })

  it('come from the JSON-LD entity with the URL of the page', () => {
    const html =
      `<link rel="canonical" href="${PAGE_URL}/">` +
      jsonLd([
        { '@type': 'Article', url: 'https://site.example/other', headline: 'Other' },
        { '@type': 'Article', mainEntityOfPage: { '@id': PAGE_URL }, headline: 'Story' },
      ])
    expect(candidatesOf(html).title).toEqual(['Story'])
  })

  it('resolve references within a JSON-LD graph', () => {
    const html = jsonLd({
      '@graph': [
        { '@type': 'Article', author: { '@id': '#ann' }, publisher: { '@id': '#org' } },
        { '@type': 'Person', '@id': '#ann', name: 'Ann Lee' },
        { '@type': 'Organization', '@id': '#org', name: 'The Org', logo: { url: '/l.png' } },
      ],
    })
    expect(candidatesOf(html)).toMatchObject({ author: ['Ann Lee'], publisher: ['The Org'] })
    expect(bestCandidate('logo', html)).toBe('https://site.example/l.png')
  })

  it('tolerate JSON-LD with syntax errors', () => {
    expect(bestCandidate('title', `${script('{"@type":')}<title>Page</title>`)).toBe('Page')
    expect(bestCandidate('title', script('<!-- {"@type": "Article", "headline": "Two\nlines"}; -->'))).toBe('Two lines')
    expect(bestCandidate('title', script('{"@type":"Article","headline":{"a":{"b":1}}}'))).toBeUndefined()
  })

  it('resolve URLs against the base of the page', () => {
    const html = `<base href="//cdn.example/a/">${meta('og:image', 'i.png?a=1&amp;amp;b=%20')}`
    expect(bestCandidate('image', html)).toBe('https://cdn.example/a/i.png?a=1&b=%20')
  })

  it('have entities decoded, even if escaped twice, and whitespace collapsed', () => {
    expect(bestCandidate('title', meta('og:title', ' Tea &amp;amp; \n caf&eacute;&nbsp;&lt;b&gt;\u200B '))).toBe(
      'Tea & café <b>',
    )
  })

  it('are truncated without splitting a character', () => {
    const title = bestCandidate('title', meta('og:title', '😀'.repeat(400))) ?? ''
    expect(title).toMatch(/^(😀)+…$/u)
    expect(title.length).toBeLessThanOrEqual(500)
  })

  it.each([
    ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31T10:00:00+0200', '2026-01-31T08:00:00.000Z'],
    ['2026-01-31 10:00', '2026-01-31T10:00:00.000Z'],
    ['2026/01/31', '2026-01-31T00:00:00.000Z'],
    ['2026/1/31 10:00', '2026-01-31T10:00:00.000Z'],
    ['20260131', '2026-01-31T00:00:00.000Z'],
    ['20260131T100000Z', '2026-01-31T10:00:00.000Z'],
    ['31.01.2026', '2026-01-31T00:00:00.000Z'],
    ['05.01.2026, 10:00', '2026-01-05T10:00:00.000Z'],
    ['01/31/2026', '2026-01-31T00:00:00.000Z'],
    ['Sat, 31 Jan 2026 10:00:00 +0530', '2026-01-31T04:30:00.000Z'],
    ['Sat Jan 31 2026 10:00:00 GMT+0200 (EET)', '2026-01-31T08:00:00.000Z'],
    ['January 31, 2026', '2026-01-31T00:00:00.000Z'],
    ['January 31, 2026 5:30 pm', '2026-01-31T17:30:00.000Z'],
    ['2026-01-31T10:00+5.30', '2026-01-31T10:00:00.000Z'],
    ['Sat, 31 Jan 2026 10:00:00 GMT', '2026-01-31T10:00:00.000Z'],
    ['31st January 2026', '2026-01-31T00:00:00.000Z'],
    ['Posted on Jan. 31, 2026, 10.34PM IST', '2026-01-31T17:04:00.000Z'],
    ['1769853600', '2026-01-31T10:00:00.000Z'],
    ['1769853600000', '2026-01-31T10:00:00.000Z'],
  ])('include the date %s', (text, date) =>
    expect(bestCandidate('date', meta('article:published_time', text))).toBe(date),
  )

  it.each([
    ['de', '31. Januar 2026, 10:00 Uhr', '2026-01-31T10:00:00.000Z'],
    ['fr-FR', '31 janvier 2026', '2026-01-31T00:00:00.000Z'],
    ['es', '31 de enero de 2026', '2026-01-31T00:00:00.000Z'],
    ['pt-BR', '31 de janeiro de 2026', '2026-01-31T00:00:00.000Z'],
    ['ru', '31 января 2026', '2026-01-31T00:00:00.000Z'],
    ['ja', '2026年1月31日', '2026-01-31T00:00:00.000Z'],
    ['en-GB', '01/02/2026', '2026-02-01T00:00:00.000Z'],
    ['fr', '01/02/2026', '2026-02-01T00:00:00.000Z'],
    ['en', '01/02/2026', '2026-01-02T00:00:00.000Z'],
    ['tlh', 'January 31, 2026', '2026-01-31T00:00:00.000Z'],
  ])('include dates as written in the language %s: %s', (lang, text, date) =>
    expect(bestCandidate('date', `<html lang="${lang}">${meta('date', text)}`)).toBe(date),
  )

  it.each([
    ['open tags', '<a>'.repeat(300_000)],
    ['angle brackets', '<'.repeat(1_000_000)],
    ['entities', '&amp;'.repeat(200_000)],
    ['headings', '<h1>'.repeat(250_000)],
    ['closing tags', '</p>'.repeat(250_000)],
    ['names', '<p class="author">x'.repeat(50_000)],
    ['metas', '<meta content="x" name="y">'.repeat(40_000)],
    ['icon sizes', `<link rel="icon" href="/i" sizes="${'1 '.repeat(400_000)}">`],
    ['invalid JSON', script(`{${'a'.repeat(499_000)}`) + script(`{}${' '.repeat(400_000)}x`)],
    ['JSON arrays', script('['.repeat(499_000))],
    ['slashes', jsonLd(Array.from({ length: 200 }, () => ({ '@type': 'Article', url: `${'/'.repeat(4_000)}x` })))],
    ['separators', `<title>${'-'.repeat(60_000)}a</title>${meta('og:title', 'a')}`],
    ['an endless date', meta('article:published_time', '1 '.repeat(400_000))],
    ['dates', '<p class="date">1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2026</p>'.repeat(15_000)],
    ['an endless title', meta('og:title', '&lt;&amp;amp; '.repeat(60_000))],
  ])('are found in a page full of %s about as fast as in an ordinary one', (_, html) => {
    const ordinary = '<p>text</p>'.repeat(html.length / 11)
    expectTimeRatio(
      () => expect(candidatesOf(html).url).toEqual([PAGE_URL]),
      () => candidatesOf(ordinary),
      30,
    )
  })
})
