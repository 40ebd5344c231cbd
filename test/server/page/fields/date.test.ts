import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { jsonLd } from '../declarations.js'

const dateOf = (html: string, url = 'https://site.example/news/story') => findCandidates(parseHtml(html, url)).date[0]
const page = (lang: string, body: string) =>
  `<html lang="${lang}"><body><h1>Story</h1>${body}<p>Text.</p></body></html>`
const MARCH_12 = '2024-03-12T00:00:00.000Z'

describe('the time of the last change', () => {
  const changed = '<meta property="article:modified_time" content="2024-05-01T08:30:20Z">'
  const publishedAs = (time: string) => `<meta property="article:published_time" content="${time}">${changed}`

  it('is not the date of publication, though some publishing systems state it as both', () => {
    const article = jsonLd({ '@type': 'Article', datePublished: '2024-03-12' })
    expect(dateOf(publishedAs('2024-05-01T08:30:00Z') + article)).toBe(MARCH_12)
    expect(
      dateOf(publishedAs('2024-03-12T00:00:00Z') + jsonLd({ '@type': 'Article', datePublished: '2020-01-01' })),
    ).toBe(MARCH_12)
  })

  it('may be declared by JSON-LD alone', () => {
    const published = '<meta property="article:published_time" content="2024-05-01T08:30:00Z">'
    const article = { '@type': 'Article', datePublished: '2024-03-12', dateModified: '2024-05-01T08:30:40Z' }
    expect(dateOf(published + jsonLd(article))).toBe(MARCH_12)
  })

  it('is the date of a page without another', () => {
    expect(dateOf(publishedAs('2024-05-01T08:30:00Z'))).toBe('2024-05-01T08:30:00.000Z')
  })

  it('is later than the time of creation', () => {
    const recipe = jsonLd({ '@type': 'Recipe', dateCreated: '03/12/2024' })
    expect(dateOf(page('en', '<p>Updated May 1, 2024</p>') + recipe)).toBe(MARCH_12)
  })
})

describe('the date of publication', () => {
  it.each<[source: string, html: string]>([
    ['a scholarly page', '<meta name="citation_publication_date" content="2024/03/12">'],
    [
      'an online journal',
      '<meta name="citation_online_date" content="2024/03/12"><meta name="citation_date" content="2024/04/01">',
    ],
    [
      'a journal, not the month of its issue',
      '<meta name="citation_publication_date" content="2024/03"><meta name="citation_online_date" content="2024/03/12"><meta name="citation_cover_date" content="2024/03/01">',
    ],
    [
      'a journal whose issue is of a later month',
      '<meta name="citation_cover_date" content="2024/04/01"><meta name="citation_online_date" content="2024/03/12">',
    ],
    ['a post of a network', '<meta property="og:published_time" content="2024-03-12T00:00:00Z">'],
    ['a song', '<meta property="og:type" content="music.song"><meta name="music:release_date" content="2024-03-12">'],
    ['a book', '<meta property="book:release_date" content="2024-03-12">'],
    [
      'an album',
      jsonLd({ '@type': 'MusicAlbum', datePublished: '12 Mar 2024 00:00:00 GMT', dateModified: '13 Jun 2024' }),
    ],
    [
      'the first post of a topic, not the day that its author joined',
      page(
        'en',
        '<dl class="postprofile"><dt>Bill</dt><dd class="profile-joined">Joined: Tue Feb 03, 2009 8:15 am</dd></dl><p class="author">by <a class="username">Bill</a> » <time datetime="2024-03-12T00:00:00Z">Mar 12</time></p>',
      ),
    ],
    ['Dublin Core with a colon', '<meta property="dc:date" content="2024-03-12">'],
    [
      'DCTERMS',
      '<meta name="dcterms.available" content="2024-03-12"><meta name="dcterms.modified" content="2024-05-01">',
    ],
    ['DCTERMS created', '<meta name="dcterms.created" content="2024-03-12">'],
    ['several properties in one', '<meta property="article:published_time og:time" content="2024-03-12">'],
    ['a video', '<meta property="og:release_date" content="2024-03-12">'],
    ['a publishing system with an underscore', '<meta name="publish_date" content="Tue, 12 Mar 2024 00:00:00 GMT">'],
    ['a short name', '<meta name="pub_date" content="20240312">'],
    ['a newspaper in Korea', '<meta name="ptime" content="20240312000000">'],
    [
      'a date for display',
      '<meta name="displaydate" content="2024-03-12"><meta name="expirydate" content="2060-12-31">',
    ],
    ['a date as a number', '<meta name="epoch-publish-date" content="1710201600000">'],
    ['PRISM', '<meta name="prism.publicationDate" content="2024-03-12">'],
    ['a repository', '<meta name="bepress_citation_online_date" content="2024/03/12">'],
    ['Parse.ly in one value', `<meta name="parsely-page" content='{"pub_date":"2024-03-12T00:00:00Z"}'>`],
    ['an older publishing system', '<meta name="originalpublicationdate" content="2024/03/12 00:00:00">'],
    ['published and modified', jsonLd({ '@type': 'Article', dateModified: '2024-04-01', datePublished: '2024-03-12' })],
    [
      'a graph with the page and its article',
      jsonLd({
        '@graph': [
          { '@type': 'WebPage', dateModified: '2024-04-02', datePublished: '2020-01-01' },
          { '@type': 'BlogPosting', datePublished: '2024-03-12' },
        ],
      }),
    ],
    [
      'WordPress',
      '<time class="entry-date published" datetime="2024-03-12T00:00:00+00:00">x</time><time class="updated" datetime="2024-04-01">y</time>',
    ],
    [
      'WordPress, updated first',
      '<time class="updated" datetime="2024-04-01">y</time><time class="entry-date published" datetime="2024-03-12">x</time>',
    ],
    [
      'beside the byline',
      page(
        'en',
        `<p>By Jane Doe</p><time datetime="2024-03-12">12 March</time>${'<p>Words of it.</p>'.repeat(200)}<h3><a href="/o">Other</a></h3><time datetime="2021-01-01">then</time>`,
      ),
    ],
    [
      'before the headline',
      `<time datetime="2024-03-12">then</time>${page('en', `${'<p>Words of it.</p>'.repeat(200)}<time datetime="2021-01-01">x</time>`)}`,
    ],
    [
      'not the date of a comment',
      page('en', '<time datetime="2024-03-12">x</time><div id="comments"><time datetime="2024-03-20">y</time></div>'),
    ],
    ['in a byline', page('en', '<div class="byline">Jane Doe, 12 March 2024</div>')],
    ['in the text of a byline', page('en', '<p>By Jane Doe on March 12, 2024</p>')],
    ['a time with a text only', page('en', '<time>March 12, 2024</time>')],
    [
      'microdata',
      '<div itemscope itemtype="https://schema.org/BlogPosting"><time itemprop="datePublished" datetime="2024-03-12">x</time></div>',
    ],
    ['microdata on a meta', '<article itemscope><meta itemprop="datePublished" content="2024-03-12"></article>'],
    ['hAtom', '<abbr class="published" title="2024-03-12">last week</abbr>'],
    ['as a plain text beside the headline', page('de', '<div>12.03.2024, 00:00 Uhr</div>')],
    [
      'of a page without headings',
      '<title>A long story - Site</title><table><tr><td><b>A long story</b><br><i>by Jane Doe</i><br>March 12, 2024<p>Text.</table>',
    ],
    ['an element of a script', page('en', '<relative-time datetime="2024-03-12T00:00:00Z">last year</relative-time>')],
    ['another element of a script', page('en', '<p><time-ago datetime="2024-03-12" lang="en"></time-ago></p>')],
    ['in the title of a time', page('en', '<time title="March 12, 2024">2 years ago</time>')],
    ['in the title of a date', page('en', '<span class="date" title="2024-03-12 00:00:00Z">2y</span>')],
    ['not the title of a time', page('en', '<time title="Published">March 12, 2024</time>')],
    ['not the title of a date', page('en', '<span class="date" title="Article 1999 of 2024">March 12, 2024</span>')],
    ['the years of an emperor', page('ja', '<div>令和６年３月１２日</div>')],
    ['microformats', '<div class="h-entry"><time class="dt-published" datetime="2024-03-12">x</time></div>'],
  ])('%s', (_, html) => expect(dateOf(html)).toBe(MARCH_12))

  it.each<[what: string, html: string]>([
    [
      'of the day of the visit in front of it',
      page('en', '<p class="date">12 March 2024</p>').replace('<h1>', '<div class="date">Wed, 5 June 2024</div><h1>'),
    ],
    [
      'behind an empty heading',
      '<title>Rain is coming - Site</title><h1></h1><div class="date">Wed, 5 June 2024</div><div>Rain is coming</div><div class="date">Delhi, March 12, 2024</div>',
    ],
    [
      'of the headline, not that beside the name of the site',
      `<title>Deszcz nadchodzi - Kurier Portowy</title><div>Kurier Portowy</div><i>5 czerwca 2024</i>${'<a href="/s">Sport i pogoda</a>'.repeat(30)}<div>Deszcz nadchodzi</div><i>12 marca 2024</i>`.replace(
        '<title>',
        '<html lang="pl"><title>',
      ),
    ],
    [
      'in metadata, not in the microdata of teasers',
      `<meta name="dc.date" content="2024-03-12"><div itemscope><meta itemprop="datePublished" content="2023-01-01"></div><div itemscope><meta itemprop="datePublished" content="2023-02-01"></div>`,
    ],
    ['at the begin of a press release', page('en', `<p>LISBON, March 12, 2024 — ${'It rains. '.repeat(30)}</p>`)],
    ['at the begin of a text in German', page('de', `<p>Hamburg, 12. März 2024 – ${'Es regnet. '.repeat(30)}</p>`)],
    ['at the begin of a text in Spanish', page('es', `<p>12 de marzo de 2024 -- ${'Llueve. '.repeat(30)}</p>`)],
    [
      'below the headline, though the first heading names a section',
      '<title>Rain is coming | Courier</title><h1>Weather Center</h1><div>Rain is coming</div><div>March 12, 2024</div>',
    ],
    ['in an abbreviation', page('en', '<abbr title="2024-03-12T00:00:00Z">2 hrs ago</abbr>')],
    ['beside a table of facts', page('fr', '<p>12 mars 2024</p><table><tr><td>1er mai 1999</td></tr></table>')],
  ])('is the one %s', (_, html) => expect(dateOf(html)).toBe(MARCH_12))

  it('is the date in the address if nothing else states it', () => {
    expect(dateOf('<h1>Story</h1>', 'https://site.example/2024/03/12/story')).toBe(MARCH_12)
    expect(dateOf('<h1>Story</h1>', 'https://site.example/news/2024-03-12-story')).toBe(MARCH_12)
    expect(dateOf('<h1>Story</h1>', 'https://site.example/world/2024/mar/12/story')).toBe(MARCH_12)
    expect(dateOf('<h1>Story</h1>', 'https://site.example/2024/HARBOUR/03/12/story')).toBe(MARCH_12)
    expect(dateOf('<h1>Story</h1>', 'https://site.example/2024/13/12/story')).toBeUndefined()
    expect(dateOf('<h1>Story</h1>', 'https://site.example/2024/may/be/story')).toBeUndefined()
    expect(dateOf('<h1>Story</h1>', 'https://site.example/2024/mar/32/story')).toBeUndefined()
    expect(dateOf('<meta name="date" content="2022-06-16">', 'https://site.example/2024/03/12/')).toBe(
      '2022-06-16T00:00:00.000Z',
    )
    expect(
      dateOf(
        '<meta property="article:published_time" content="2022-06-16"><meta name="dc.date" content="2024-03-12">',
        'https://site.example/2024/03/12/story',
      ),
    ).toBe(MARCH_12)
    expect(dateOf('<meta name="date" content="2024-03-13">', 'https://site.example/2024/03/12/')).toBe(
      '2024-03-13T00:00:00.000Z',
    )
  })

  it.each<[lang: string, text: string]>([
    ['en', 'Published March 12, 2024'],
    ['en-GB', '12/03/2024'],
    ['de', 'Veröffentlicht am 12. März 2024'],
    ['fr', 'Publié le 12 mars 2024'],
    ['es', '12 de marzo de 2024'],
    ['it', '12 marzo 2024'],
    ['pt', '12 de março de 2024'],
    ['nl', '12 maart 2024'],
    ['pl', '12 marca 2024'],
    ['cs', '12. března 2024'],
    ['sv', '12 mars 2024'],
    ['da', '12. marts 2024'],
    ['tr', '12 Mart 2024'],
    ['ru', '12 марта 2024 г.'],
    ['uk', '12 березня 2024'],
    ['ja', '2024年3月12日'],
    ['zh', '2024年3月12日 星期二'],
    ['ko', '2024년 3월 12일'],
    ['ar', '12 مارس 2024'],
    ['de', '12.03.24, 00:00 Uhr'],
    ['en', '3/12/24'],
    ['', '3/12/2024'],
    ['pl', '12/03/2024'],
    ['tr', '12/03/2024'],
    ['nl', '12-03-2024'],
    ['en-GB', '12/03/24'],
    ['fr', '12/03/24'],
    ['ru', '12.03.24'],
    ['ar', '١٢ مارس ٢٠٢٤'],
    ['ar', 'الثلاثاء، 12 آذار/مارس 2024'],
    ['ar', '12 مارس/آذار 2024'],
    ['vi', '12 tháng 3, 2024'],
    ['el', '12 Μαρτίου 2024'],
    ['he', '12 במרץ 2024'],
    ['hu', '2024. március 12.'],
    ['fi', '12. maaliskuuta 2024'],
    ['ro', '12 martie 2024'],
    ['lv', '2024. gada 12. marts'],
    ['lt', '2024 m. kovo 12 d.'],
    ['hi', '12 मार्च 2024'],
    ['fa', '2024/03/12'],
    ['th', '12 มีนาคม 2024'],
    ['th', '12 มีนาคม 2567'],
    ['id', 'Selasa, 12 Maret 2024'],
    ['', '2024年3月12日'],
  ])('is read as written in the language "%s": %s', (lang, text) =>
    expect(dateOf(page(lang, `<p class="date">${text}</p>`))).toBe(MARCH_12),
  )

  it.each<[what: string, html: string]>([
    [
      'of a list',
      page(
        'en',
        '<h2><a href="/1">One</a></h2><time datetime="2024-03-12">x</time><h2><a href="/2">Two</a></h2><time datetime="2024-03-13">y</time>',
      ),
    ],
    [
      'of the articles that an article lists',
      `<article><h1>Story</h1><p>${'It rains. '.repeat(200)}</p><ul>${['10', '11', '12', '13'].map((day) => `<li><span class="date">March ${day}, 2024</span> One</li>`).join('')}</ul></article>`,
    ],
    [
      'in the middle of a text',
      page('en', `<p>It rained on March 12, 2024 for hours and ${'it rains. '.repeat(30)}</p>`),
    ],
    ['of a version', page('en', '<p class="date">Version 1.12.3.24</p><p class="time">10.15.30</p>')],
    [
      'of a fact in a table',
      page('en', '<table class="infobox"><tr><th>First aired</th><td>October 14, 1999</td></tr></table>'),
    ],
    [
      'of a concert',
      `${jsonLd({ '@type': 'MusicEvent', name: 'A concert', startDate: '2024-03-12T19:30:00Z' })}${page('en', '<time datetime="2024-03-12T19:30:00Z">12 March</time><p>Sat 14 April 2018</p>')}`,
    ],
    [
      'of the concerts of a band',
      `${jsonLd([
        { '@type': 'MusicGroup', name: 'Story' },
        { '@type': 'Event', startDate: '2024-03-12' },
        { '@type': 'Event', startDate: '2024-03-14' },
      ])}${page('fr', '<p class="date">12 mars 2024</p><p class="date">14 mars 2024</p>')}`,
    ],
    [
      'until which a price is valid',
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Mug</h1><time itemprop="priceValidUntil" datetime="2024-03-12">12 March</time></div>',
    ],
    [
      'on which an event begins',
      page(
        'de',
        '<div itemscope itemtype="https://schema.org/Event"><time itemprop="startDate" datetime="2024-03-12">12. März</time></div>',
      ),
    ],
    ['of an event to come', '<meta name="date" content="2999-01-01">'],
    ['without a day', '<meta name="citation_publication_date" content="2024">'],
    ['of a placeholder', '<meta name="date" content="{{date}}"><time datetime="undefined">x</time>'],
  ])('is not the date %s', (_, html) => expect(dateOf(html)).toBeUndefined())
})
