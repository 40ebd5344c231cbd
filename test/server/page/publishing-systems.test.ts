// Covers what publishing systems and shops write into pages: WordPress, Joomla, Magento, FrontPage, repositories of papers, and others.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../src/server/page/document/index.js'
import { findCandidates } from '../../../src/server/page/find-candidates.js'
import type { MetadataField } from '../../../src/server/page/fields/index.js'

const PAGE_URL = 'https://www.harbour.example/posts/rain'
const best = (field: MetadataField, html: string, url = PAGE_URL) => findCandidates(parseHtml(html, url))[field][0]
const og = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`
const named = (name: string, content: string) => `<meta name="${name}" content="${content}">`
const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
const LEAD = 'Rain will reach the coast on Friday evening, and stay until the end of the week.'

describe('the account that a publishing system was installed with', () => {
  it.each([
    'Super User',
    'admin',
    'Admin1',
    'wpadmin',
    'siteadmin',
    'Administrador',
    'Администратор',
    '管理员',
    'WordPress',
  ])('is nobody: %s', (name) => expect(best('author', named('author', name))).toBeUndefined())

  it.each(['Ada Minister', 'Guest Author Ann Lee', 'Rootveld', 'Mary User', 'Gasthuis Jan'])(
    'is not part of a name: %s',
    (name) => expect(best('author', named('author', name))).toBeDefined(),
  )

  it.each(['Visit the Kettle Store', 'Visit the Ann Lee Store'])('nor the link to a shop: %s', (text) =>
    expect(best('author', `<h1>Kettle</h1><a id="bylineInfo" href="/stores/1">${text}</a>`)).toBeUndefined(),
  )
})

describe('the description', () => {
  it.each(['&nbsp; [&hellip;]', '[…]', '[...]', '…', '()', '-'])('is not what is left of an excerpt: %s', (excerpt) => {
    const recipe = jsonLd({ '@type': 'Recipe', name: 'Cake', description: LEAD })
    expect(best('description', og('description', excerpt) + recipe)).toBe(LEAD)
  })

  it.each(['[Updated] Rain reaches the coast', 'Rain…', '(Almost) everything about rain'])(
    'may have brackets and dots: %s',
    (text) => expect(best('description', og('description', text))).toBe(text),
  )
})

describe('a picture that says that there is none', () => {
  it.each([
    '/static/version17/frontend/Acme/theme/en_US/Magento_Catalog/images/product/placeholder/image.jpg',
    '/media/catalog/product/placeholder/default/logo.png',
    '/wp-content/uploads/woocommerce-placeholder-600x600.png',
    '/wp-content/uploads/woocommerce-placeholder.png',
    '/media/catalog/product/no_selection.jpg',
    '/images/no-image.png',
    '/images/no_photo_available.gif',
    '/img/p/en-default-no-picture.jpg',
    '/images/image-coming-soon.jpg',
    '/cdn/shop/t/assets/no-image-2048.png',
    '/i/blank.jpg',
  ])('is no image: %s', (path) => expect(best('image', og('image', path))).toBeUndefined())

  it.each([
    '/uploads/no-image-of-you.jpg',
    '/uploads/placeholder-names-in-law.jpg',
    '/uploads/coming-soon-to-town.jpg',
    '/uploads/the-blank-page.jpg',
    '/share/og-default.png',
    '/share/default-share-1200x630.png',
  ])('is not a picture with such words in its name: %s', (path) =>
    expect(best('image', og('image', path))).toBe(new URL(path, PAGE_URL).href),
  )

  it('is no reason for a picture from elsewhere in the page', () => {
    const page = `${og('image', '/no-image.png')}<h1>Rain</h1>${'<p>Words of the page.</p>'.repeat(200)}<img src="/other.jpg">`
    expect(best('image', page)).toBeUndefined()
  })

  it('gives way to a picture of the page, as the picture of all pages does', () =>
    expect(
      best('image', `${og('image', '/default-share.png')}<h1>Rain</h1><article><img src="/quay.jpg"></article>`),
    ).toBe('https://www.harbour.example/quay.jpg'))
})

describe('the title that an editor gives to a new page', () => {
  it.each([
    'New Page 1',
    'Untitled-1',
    'Untitled Document',
    'Page 3',
    'Document1',
    'Neue Seite 1',
    'Unbenanntes Dokument',
    'Document sans nom',
    'Documento sin título',
    'Documento senza titolo',
    'Новая страница 1',
    '無題ドキュメント',
    '无标题文档',
    '제목 없음',
  ])('gives way to the heading: %s', (title) =>
    expect(best('title', `<title>${title}</title><h1>Engines of the coast line</h1>`)).toBe(
      'Engines of the coast line',
    ),
  )

  it.each(['New Page Theatre', 'Page 3 of the Courier', 'Documents 1914', 'Untitled Goose Game'])(
    'is not a title that begins like it: %s',
    (title) => expect(best('title', `<title>${title}</title><h1>Engines of the coast line</h1>`)).toBe(title),
  )
})

describe('the date of a paper', () => {
  it.each<[what: string, html: string, date: string]>([
    [
      'is the one of its first version',
      named('citation_date', '2017/06/12') + named('citation_online_date', '2023/08/02'),
      '2017-06-12T00:00:00.000Z',
    ],
    [
      'is the one in print if it was put online later',
      named('citation_publication_date', '1994/05/01') + named('citation_online_date', '2006/02/11'),
      '1994-05-01T00:00:00.000Z',
    ],
    [
      'is the one online if only the month of its issue is known',
      named('citation_publication_date', '2021/08') + named('citation_online_date', '2021/07/15'),
      '2021-07-15T00:00:00.000Z',
    ],
    ['is written as in America', named('citation_publication_date', '04/25/2013'), '2013-04-25T00:00:00.000Z'],
    [
      'is not the one of a paper that it cites',
      named('citation_reference', 'citation_title=Rain; citation_publication_date=1999') +
        named('citation_date', '2020/02/03'),
      '2020-02-03T00:00:00.000Z',
    ],
  ])('%s', (_, html, date) => expect(best('date', html)).toBe(date))
})

describe('the date of publication', () => {
  it.each(['publishedDate', 'publishtime', 'publish_time', 'article_date_original', 'pdate', 'eprints.date'])(
    'is declared as %s',
    (name) => expect(best('date', named(name, '2024-05-01T12:11:05'))).toBe('2024-05-01T12:11:05.000Z'),
  )

  it('of a job is when it was offered, and its publisher is who offers it', () => {
    const job = jsonLd({
      '@type': 'JobPosting',
      title: 'Pilot',
      datePosted: '2024-03-18',
      validThrough: '2031-01-01',
      hiringOrganization: { '@type': 'Organization', name: 'Harbour Pilots' },
    })
    const page = `<title>Job Application for Pilot at Harbour Pilots</title>${og('title', 'Pilot')}${job}`
    expect(best('date', page, 'https://boards.example/4017')).toBe('2024-03-18T00:00:00.000Z')
    expect(best('publisher', page, 'https://boards.example/4017')).toBe('Harbour Pilots')
  })

  it('of a job board is the board, if it says so', () => {
    const job = jsonLd({ '@type': 'JobPosting', title: 'Pilot', hiringOrganization: { name: 'Harbour Pilots' } })
    expect(best('publisher', `${og('site_name', 'All Jobs')}${job}`)).toBe('All Jobs')
  })
})

describe('a picture that a shop shows larger', () => {
  it.each<[what: string, attributes: string]>([
    ['in a gallery of WooCommerce', 'src="/t-416x416.jpg" class="wp-post-image" data-large_image="/kettle.jpg"'],
    [
      'behind a loading one',
      'src="data:image/webp;base64,UklGRiQ" data-old-hires="/kettle.jpg" class="a-dynamic-image"',
    ],
    ['in PrestaShop', 'class="js-qv-product-cover" src="/s.jpg" data-image-large-src="/kettle.jpg"'],
    ['under a lens', 'src="/s.jpg" data-zoom-image="/kettle.jpg"'],
  ])('%s', (_, attributes) =>
    expect(best('image', `<h1>Kettle</h1><img ${attributes}>`)).toBe('https://www.harbour.example/kettle.jpg'),
  )
})

describe('a picture on the machine that built the site', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:8080',
    'https://localhost',
    'http://0.0.0.0:4000',
    'http://web:3000',
  ])('is looked for on the site: %s', (origin) =>
    expect(best('image', og('image', `${origin}/blog/opengraph-image-1kq2p3?5f8a2c9d`))).toBe(
      'https://www.harbour.example/blog/opengraph-image-1kq2p3?5f8a2c9d',
    ),
  )

  it.each(['https://cdn.harbour.example/a.jpg', 'https://localhost.example/a.jpg', 'https://203.0.113.9/a.jpg'])(
    'is not one on another host: %s',
    (url) => expect(best('image', og('image', url))).toBe(url),
  )

  it('stays for a site that is on such a machine itself', () =>
    expect(best('image', og('image', 'http://localhost:3000/a.jpg'), 'http://localhost:8080/posts/rain')).toBe(
      'http://localhost:3000/a.jpg',
    ))
})

describe('the title of a home page', () => {
  const home = (html: string) => best('title', html, 'https://www.harbour.example/')

  it.each<[what: string, html: string, title: string]>([
    [
      'keeps its site before its slogan',
      '<title>Slow Miles &#8211; Walks along canals</title><h1 class="site-title"><a href="/">Slow Miles</a></h1>',
      'Slow Miles – Walks along canals',
    ],
    [
      'keeps its site behind its slogan',
      `<title>Walks along canals | Slow Miles</title>${og('site_name', 'Slow Miles')}`,
      'Walks along canals | Slow Miles',
    ],
    [
      'keeps its site in what it declares',
      `<title>Slow</title>${og('title', 'Slow Miles - Walks along canals')}${og('site_name', 'Slow Miles')}`,
      'Slow Miles - Walks along canals',
    ],
    [
      'is its site, if there is nothing else',
      `<title>Home | Slow Miles</title>${og('site_name', 'Slow Miles')}`,
      'Slow Miles',
    ],
    ['may be a single name', '<title>Slow Miles</title><h1>Walks along canals</h1>', 'Slow Miles'],
  ])('%s', (_, html, title) => expect(home(html)).toBe(title))

  it('is no matter of the other pages of the site', () =>
    expect(best('title', `<title>Walks along canals | Slow Miles</title>${og('site_name', 'Slow Miles')}`)).toBe(
      'Walks along canals',
    ))
})

describe('a post on Blogger', () => {
  const feed = '<link rel="alternate" type="application/atom+xml" title="Rails &amp; Wires - Atom" href="/feeds">'
  const post = `<html><head><meta content='blogger' name='generator'/>${feed}<title>Rails &amp; Wires: Old trams of Lisbon</title></head>
    <body><div class='widget Header' id='Header1'><h1 class='title'><a href='/'>Rails &amp; Wires</a></h1></div>
    <div class='widget Blog' id='Blog1'><div class='post hentry'><h3 class='post-title entry-title'><a href='/posts/rain'>Old trams of Lisbon</a></h3>
    <div class='post-body entry-content'><p><a href="/tram-1600.jpg"><img src="/tram.jpg" id="BLOGGER_PHOTO_ID_5178"></a>${LEAD}</p></div></div></div>
    <div class='widget Profile'><p>I have written about trams since the year 1998, and about boats before that.</p><img src="/me.jpg"></div></body></html>`

  it('has its text and its picture in a widget', () => {
    expect(best('description', post)).toBe(LEAD)
    expect(best('image', post)).toBe('https://www.harbour.example/tram.jpg')
  })

  it.each(['Profile', 'BlogArchive', 'PopularPosts', 'Image', 'HTML', 'FeaturedPost'])(
    'has other widgets beside it: %s',
    (name) =>
      expect(best('image', `<h1>Trams</h1><div class="widget ${name}"><img src="/me.jpg"></div>`)).toBeUndefined(),
  )

  const publisher = jsonLd({ '@type': 'BlogPosting', headline: 'Rain', publisher: { name: 'Blogger' } })

  it('is published by the blog, not by Blogger', () =>
    expect(best('publisher', named('generator', 'blogger') + feed + publisher)).toBe('Rails & Wires'))

  it.each<[what: string, html: string, name: string]>([
    ['if it says so itself', named('generator', 'blogger') + og('site_name', 'Blogger'), 'Blogger'],
    ['if there is no other name', named('generator', 'blogger') + publisher, 'Blogger'],
    ['on a site of that name', feed + publisher, 'Blogger'],
  ])('is published by Blogger %s', (_, html, name) => expect(best('publisher', html)).toBe(name))
})

describe('a page of the early web', () => {
  const LOCO = 'The engine was the standard of the coast line for more than thirty years. 425 were built.'
  const layout = (content: string) =>
    `<TABLE BORDER=0 WIDTH=640><TR><TD BGCOLOR="#CCCC99"><IMG SRC="button_home.gif"></TD><TD VALIGN=TOP>${content}</TD></TR></TABLE>`

  it.each<[what: string, html: string]>([
    [
      'written with FrontPage',
      `<TITLE>New Page 1</TITLE>${layout(`<CENTER><FONT FACE="Arial" SIZE="6"><B>Engines of the coast</B></FONT></CENTER><P><FONT SIZE="2">${LOCO}<P>They pulled the Limited.</FONT>`)}`,
    ],
    ['with a relative size', `<TITLE>Untitled</TITLE><FONT SIZE=+3>Engines of the coast</FONT><P>${LOCO}`],
    ['without a head', `<FONT SIZE=5 COLOR=red>Engines of the coast</FONT><P>${LOCO}`],
    ['with a smaller heading', `<h2>Engines of the coast</h2><p>${LOCO}</p>`],
    [
      'laid out as a table',
      `<title>Engines of the coast</title>${layout(`<h1>Engines of the coast</h1><p>${LOCO}</p>`)}`,
    ],
  ])('has a title and a description: %s', (_, html) => {
    expect(best('title', html)).toBe('Engines of the coast')
    expect(best('description', html)).toBe(LOCO)
  })

  it('in Chinese has a short headline', () => {
    const text = '九份位於台灣新北市瑞芳區，早期因為盛產金礦而興盛，礦坑挖掘殆盡後沒落。'
    const page = `<title>九份老街一日遊</title><center><font size=6>九份老街一日遊</font></center><p>${text}</p>`
    expect(best('description', page)).toBe(text)
    expect(best('description', page.replaceAll(/<.?font[^>]*>/g, ''))).toBe(text)
  })

  it.each<[what: string, html: string, title: string]>([
    ['that has a title', '<title>Engines</title><h2>Latest news</h2>', 'Engines'],
    ['of a kind', '<title>Home</title><h2>Call us now</h2>', 'Home'],
    ['with a heading', '<h2>Call us now</h2><h1>Engines</h1>', 'Engines'],
    ['with small print first', '<title>Engines</title><font size=1>Last changed in May</font>', 'Engines'],
  ])('is not a page %s', (_, html, title) => expect(best('title', html)).toBe(title))

  it.each<[what: string, html: string]>([
    [
      'has a text beside',
      `<h1>Engines</h1><table><tr><th>Built</th><td><p>From the year 1914 to the year 1928, in three works of the line.</p></td></tr></table><p>${LOCO}</p>`,
    ],
    [
      'is in the metadata',
      `${og('description', LOCO)}<h1>Engines</h1><table><tr><td><p>From the year 1914 to the year 1928, in three works.</p></td></tr></table>`,
    ],
  ])('does not begin in a table if it %s', (_, html) => expect(best('description', html)).toBe(LOCO))
})

describe('a page to print', () => {
  it.each([
    'Valley Gazette - Print Version',
    'Print Version | Valley Gazette',
    'Printer-friendly page',
    'Druckversion - Talbote',
    'Версия для печати',
    'Le Courrier : Version imprimable',
  ])('has the headline of its article as its title: %s', (title) =>
    expect(best('title', `<title>${title}</title><h2>Library to reopen in May</h2><p>${LEAD}</p>`)).toBe(
      'Library to reopen in May',
    ),
  )

  it.each([
    'Moonrise - Print',
    'Print shops of the old town',
    'How to print: a printer-friendly page in CSS',
    'Fingerprint version 2',
  ])('is not a page about printing: %s', (title) =>
    expect(best('title', `<title>${title}</title><h2>Contents</h2>`)).toBe(title),
  )
})

describe('a post whose declared title is the account that wrote it', () => {
  const post = (author: string, headline: string) =>
    jsonLd({ '@type': 'SocialMediaPosting', headline, author: { '@type': 'Person', name: author } })
  const title = '<title>pigeonpost — On the roof again, waiting for the last flock of...</title>'
  const headline = 'On the roof again, waiting for the last flock of the evening.'

  it('has its own headline as its title', () =>
    expect(best('title', `${title}${og('title', 'pigeonpost')}${post('pigeonpost', headline)}`)).toBe(headline))

  it.each<[what: string, html: string, expected: string]>([
    ['of somebody else', `${og('title', 'The roofs')}${post('pigeonpost', headline)}`, 'The roofs'],
    ['without a headline', `${og('title', 'pigeonpost')}${post('pigeonpost', '')}`, 'pigeonpost'],
    ['about itself', `${og('title', 'pigeonpost')}${post('pigeonpost', 'Pigeonpost')}`, 'pigeonpost'],
    [
      'that is a profile',
      og('title', 'Ann Lee') + jsonLd({ '@type': 'ProfilePage', mainEntity: { '@type': 'Person', name: 'Ann Lee' } }),
      'Ann Lee',
    ],
  ])('is not one %s', (_, html, expected) => expect(best('title', html)).toBe(expected))
})

it.each<[text: string, date: string]>([
  ['25 ก.ย. 2567', '2024-09-25T00:00:00.000Z'],
  ['25 ก.ย. 2567 10:12 น.', '2024-09-25T00:00:00.000Z'],
  ['1 มี.ค. 2566', '2023-03-01T00:00:00.000Z'],
  ['3 พฤศจิกายน 2565', '2022-11-03T00:00:00.000Z'],
  ['12 ม.ค. 2024', '2024-01-12T00:00:00.000Z'],
])('reads dates in Thai: %s', (text, date) =>
  expect(best('date', `<html lang="th"><h1>น้ำท่วมเชียงใหม่</h1><div class="date">${text}</div>`)).toBe(date),
)
