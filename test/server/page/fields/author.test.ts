import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates, rankCandidates } from '../../../../src/server/page/find-candidates.js'
import { jsonLd } from '../declarations.js'

const PAGE_URL = 'https://site.example/news/story'
const authorOf = (html: string) => findCandidates(parseHtml(html, PAGE_URL)).author[0]
const page = (lang: string, body: string) =>
  `<html lang="${lang}"><body><h1>Story</h1>${body}<p>Text.</p></body></html>`

describe('the author in declared data', () => {
  it.each<[cms: string, html: string, author: string]>([
    [
      'a graph whose author is a reference',
      jsonLd({
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'WebPage', '@id': PAGE_URL, name: 'Story' },
          { '@type': 'NewsArticle', author: [{ '@id': '#jane' }], publisher: { '@id': '#org' } },
          { '@type': 'Organization', '@id': '#org', name: 'The Site' },
          { '@type': 'Person', '@id': '#jane', name: 'Jane Doe' },
        ],
      }),
      'Jane Doe',
    ],
    [
      'the artist of an album',
      jsonLd({ '@type': 'MusicAlbum', byArtist: { '@type': 'MusicGroup', name: 'Jane Doe' } }),
      'Jane Doe',
    ],
    ['the musician of a song', '<meta name="music:musician_description" content="Jane Doe">', 'Jane Doe'],
    [
      'a byline with a mark behind the name',
      page('en', '<p class="author">by <a class="username" href="/u/5">Jane Doe</a> » <time>Mon</time></p>'),
      'Jane Doe',
    ],
    [
      'a reference with its own name',
      jsonLd({ '@type': 'Article', author: { '@type': 'Person', '@id': '#j', name: 'Jane Doe' } }),
      'Jane Doe',
    ],
    [
      'an organisation before a person',
      jsonLd({
        '@type': 'Article',
        author: [
          { '@type': 'Organization', name: 'The Site' },
          { '@type': 'Person', name: 'Jane Doe' },
        ],
        publisher: { name: 'The Site' },
      }),
      'Jane Doe',
    ],
    [
      'the publisher as author, and a byline',
      jsonLd({
        '@type': 'Article',
        author: { '@type': 'Organization', name: 'The Site' },
        publisher: { name: 'The Site' },
      }) + page('en', '<p class="byline">By Jane Doe</p>'),
      'Jane Doe',
    ],
    [
      'given and family name',
      jsonLd({ '@type': 'Article', author: { givenName: 'Jane', familyName: 'Doe' } }),
      'Jane Doe',
    ],
    [
      'a scholarly page',
      '<meta name="citation_author" content="Doe, Jane"><meta name="citation_author" content="Roe, Al">',
      'Jane Doe',
    ],
    [
      'Dublin Core before a plain author',
      '<meta name="author" content="Webteam"><meta name="DC.creator" content="Jane Doe">',
      'Jane Doe',
    ],
    [
      'Dublin Core with a colon',
      '<meta property="dc:creator" content="Jane Doe"><meta name="author" content="Web Team">',
      'Jane Doe',
    ],
    [
      'several properties in one',
      '<meta property="dc:creator twitter:site_name" content="Jane Doe"><meta name="author" content="FAIL">',
      'Jane Doe',
    ],
    ['DCTERMS', '<meta name="dcterms.creator" content="Ministère de la Culture">', 'Ministère de la Culture'],
    ['Parse.ly', '<meta name="parsely-author" content="Jane Doe">', 'Jane Doe'],
    ['Sailthru', '<meta name="sailthru.author" content="Jane Doe">', 'Jane Doe'],
    ['a byline of the publishing system', '<meta name="byline" content="By Jane Doe">', 'Jane Doe'],
    ['an author with a point', '<meta name="author.name" content="By Jane Doe, Harbour Wire">', 'Jane Doe'],
    ['an author of a repository', '<meta name="bepress_citation_author" content="Doe, Jane">', 'Jane Doe'],
    ['an author of EPrints', '<meta name="eprints.creators_name" content="Doe, Jane">', 'Jane Doe'],
    ['a card whose creator is no account', '<meta name="twitter:creator" content="Иван Петров">', 'Иван Петров'],
    [
      'Parse.ly in one value',
      `<meta name="parsely-page" content='{"title":"Story","author":"Amélie Dupont","type":"post"}'>`,
      'Amélie Dupont',
    ],
    [
      'Parse.ly in one value, with several authors',
      `<meta name="parsely-page" content='{"authors":["José Pérez","Ana Ruiz"]}'>`,
      'José Pérez',
    ],
    [
      'Open Graph with an address',
      '<meta property="article:author" content="https://facebook.com/jane"><meta name="author" content="Jane Doe">',
      'Jane Doe',
    ],
    [
      'a card of Slack',
      '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Jane Doe">',
      'Jane Doe',
    ],
    ['an address in an e-mail header', '<meta name="author" content="Jane Doe &lt;jane@site.example&gt;">', 'Jane Doe'],
    ['an address as in RSS', '<meta name="author" content="jane@site.example (Jane Doe)">', 'Jane Doe'],
    [
      'a role in the name',
      jsonLd({ '@type': 'Article', author: { name: 'Jane Doe, Senior Political Correspondent' } }),
      'Jane Doe',
    ],
    ['a bar and a role', '<meta name="author" content="By Jane Doe | Staff Writer | Updated 3 May">', 'Jane Doe'],
    ['a date', '<meta name="author" content="Jane Doe, 12 March 2024">', 'Jane Doe'],
    [
      'a title as its author',
      '<title>Story</title><meta name="author" content="Story"><p class="byline">By Jane Doe</p>',
      'Jane Doe',
    ],
    [
      'the account of the administrator',
      `<meta name="author" content="admin">${page('en', '<p class="byline">By Jane Doe</p>')}`,
      'Jane Doe',
    ],
    [
      'several people',
      jsonLd({
        '@type': 'Article',
        author: ['Jane Doe', 'Al Roe', 'Bo Lee'].map((name) => ({ '@type': 'Person', name })),
      }),
      'Jane Doe, Al Roe & Bo Lee',
    ],
    [
      'a person and the site',
      `<meta property="og:site_name" content="The Site">${jsonLd({ '@type': 'Article', author: ['Jane Doe', 'The Site'].map((name) => ({ '@type': 'Person', name })) })}`,
      'Jane Doe',
    ],
    [
      'the site in one entity and a person in another',
      `${jsonLd({ '@type': 'NewsArticle', author: { '@type': 'Person', name: 'Site' } })}${jsonLd({ '@type': 'Recipe', author: { '@type': 'Person', name: 'Jane Doe' } })}`,
      'Jane Doe',
    ],
    [
      'a property with a capital',
      jsonLd({ '@type': 'Recipe', Author: { '@type': 'Person', name: 'Jane Doe' } }),
      'Jane Doe',
    ],
    ['a type without one', jsonLd({ '@type': 'recipe', author: { '@type': 'Person', name: 'Jane Doe' } }), 'Jane Doe'],
    ['an entity that is there twice', jsonLd({ '@type': 'Recipe', author: 'Jane Doe' }).repeat(2), 'Jane Doe'],
    [
      'escapes of another language',
      '<script type="application/ld+json">{"@type": "Recipe", "name": "Don\\\'t \\\\", "author": "Jane Doe"}</script>',
      'Jane Doe',
    ],
    [
      'the markup of a link',
      jsonLd({ '@type': 'Article', author: { '@type': 'Person', name: '<a href="/jane">Jane Doe</a>' } }),
      'Jane Doe',
    ],
    ['a share service', '<meta name="shareaholic:article_author_name" content="Jane Doe">', 'Jane Doe'],
    ['a name like a day', '<meta name="author" content="Sun Li">', 'Sun Li'],
    ['an academic title', '<meta name="author" content="Prof. Jane Doe">', 'Prof. Jane Doe'],
    [
      'JSON-LD escaped as HTML',
      '<script type="application/ld+json">{&quot;@type&quot;: &quot;Recipe&quot;, &quot;author&quot;: &quot;Jane Doe&quot;}</script>',
      'Jane Doe',
    ],
    ['capitals', '<meta name="author" content="BY JANE DOE">', 'JANE DOE'],
    ['a name with particles', '<meta name="author" content="Ursula von der Leyen">', 'Ursula von der Leyen'],
    [
      'a name that begins with a particle',
      '<html lang="de"><meta name="author" content="Von der Leyen">',
      'Von der Leyen',
    ],
    ['an Arabic name', '<html lang="ar"><meta name="author" content="بقلم: أحمد علي">', 'أحمد علي'],
    ['an account name', '<meta name="author" content="jane_doe99">', 'jane_doe99'],
    [
      'a number of authors',
      '<meta name="author" content="Jane Doe, Al Roe and Bo Lee">',
      'Jane Doe, Al Roe and Bo Lee',
    ],
    [
      'a repository',
      '<meta name="twitter:title" content="jane/repo"><a rel="author" class="url fn" href="/jane">jane</a>',
      'jane',
    ],
    [
      'microdata of a recipe',
      '<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Soup</h1><span itemprop="author">Jane Doe</span></div>',
      'Jane Doe',
    ],
    [
      'microdata of a video',
      '<div itemscope itemtype="http://schema.org/VideoObject"><span itemprop="author" itemscope itemtype="http://schema.org/Person"><link itemprop="url" href="/jane"><link itemprop="name" content="Jane’s Channel"></span></div>',
      'Jane’s Channel',
    ],
    ['several types at once', jsonLd({ '@type': ['Article', 'BlogPosting'], author: ['Jane Doe'] }), 'Jane Doe'],
    ['a podcast', jsonLd({ '@type': 'PodcastEpisode', author: { '@type': 'Person', name: 'Jane Doe' } }), 'Jane Doe'],
    ['a forum', jsonLd({ '@type': 'DiscussionForumPosting', author: { '@type': 'Person', name: 'jdoe' } }), 'jdoe'],
    [
      'a question with answers of others',
      jsonLd({
        '@type': 'QAPage',
        mainEntity: {
          '@type': 'Question',
          author: { name: 'Jane Doe' },
          acceptedAnswer: { '@type': 'Answer', author: { name: 'Al Roe' } },
        },
      }),
      'Jane Doe',
    ],
  ])('%s', (_, html, author) => expect(authorOf(html)).toBe(author))
})

describe('the names of several authors in JSON-LD are joined', () => {
  const people = (...names: (string | null)[]) =>
    jsonLd({ '@type': 'Article', author: names.map((name) => ({ '@type': 'Person', name })) })
  it.each<[what: string, html: string, author: string | undefined]>([
    ['two', people('Jane Doe', 'Al Roe'), 'Jane Doe & Al Roe'],
    ['three', people('Jane Doe', 'Al Roe', 'Ann Lee'), 'Jane Doe, Al Roe & Ann Lee'],
    ['but not an empty one in front', people('', 'Jane Doe'), 'Jane Doe'],
    ['but not an empty one behind', people('Jane Doe', ' '), 'Jane Doe'],
    ['but not a missing one', people('Jane Doe', 'null', null), 'Jane Doe'],
    ['but not a default account', people('admin', 'Jane Doe'), 'Jane Doe'],
    ['but not one of several default accounts', people('Jane Doe', 'root', 'admin', 'Al Roe'), 'Jane Doe & Al Roe'],
    ['but not the same twice', people('Jane Doe', 'Jane  Doe'), 'Jane Doe'],
    ['but not the same with and without tags', people('Jane Doe', '<b>Jane Doe</b>'), 'Jane Doe'],
    ['but not an empty text', jsonLd({ '@type': 'Article', author: ['', 'Jane Doe', 'Jane Doe '] }), 'Jane Doe'],
    ['but not too many', people('A. Doe', 'B. Doe', 'C. Doe', 'D. Doe', 'E. Doe'), 'A. Doe'],
    ['but not without a name', people('', 'null', 'admin'), undefined],
  ])('%s', (_, html, author) => expect(authorOf(html)).toBe(author))
})

describe('a declared name', () => {
  it.each<[what: string, html: string]>([
    ['with a line break in JSON-LD', jsonLd({ '@type': 'Article', author: { name: 'Jane\n      Doe' } })],
    ['with a line break in a text of JSON-LD', jsonLd({ '@type': 'Article', author: 'Jane\r\nDoe' })],
    ['with a line break in a meta', '<meta name="author" content="Jane\n   Doe">'],
    ['with a line break in an inverted meta', '<meta name="citation_author" content="Doe,\n   Jane">'],
    [
      'with a link',
      jsonLd({ '@type': 'Article', author: { name: '<a href="/j" rel="author"><span>Jane Doe</span></a>' } }),
    ],
    [
      'with an escaped link',
      jsonLd({ '@type': 'Article', author: { name: '&lt;a href=&quot;/j&quot;&gt;Jane Doe&lt;/a&gt;' } }),
    ],
    ['with a span', jsonLd({ '@type': 'Article', author: '<span class="fn">Jane Doe</span>' })],
    ['with tags in a meta', '<meta name="author" content="&lt;strong&gt;Jane Doe&lt;/strong&gt;">'],
    ['with an address', '<meta name="author" content="Jane Doe &lt;jane@site.example&gt;">'],
  ])('is one line without markup: %s', (_, html) => expect(authorOf(html)).toBe('Jane Doe'))

  it('is the first of several lines in the body', () =>
    expect(authorOf(page('en', '<p class="byline">By Jane Doe<br>Harbour correspondent</p>'))).toBe('Jane Doe'))
})

describe('the byline of a page', () => {
  it.each<[lang: string, body: string, author: string]>([
    ['en', '<p>By Jane Doe</p>', 'Jane Doe'],
    ['en', '<p>by <a href="/people/jane">Jane Doe</a> on March 12, 2024</p>', 'Jane Doe'],
    ['en', '<div><span>By</span> <a href="/x/jane">Jane Doe</a></div>', 'Jane Doe'],
    ['en', '<p>Posted by Jane Doe on 12 March 2024 at 10:00</p>', 'Jane Doe'],
    ['en', '<p>Written by: Jane Doe and Al Roe</p>', 'Jane Doe and Al Roe'],
    ['en', '<figure itemprop="author"><h3>Chef</h3><h4>Jane Doe</h4></figure>', 'Jane Doe'],
    ['en', '<h6><span>Recipe by</span> <span>Jane Doe</span></h6>', 'Jane Doe'],
    ['fr', '<p class="author">Recette de : © Anne Roux</p>', 'Anne Roux'],
    ['en', '<div class="byline"><a href="mailto:jane@site.example">Jane Doe</a>, 12 March 2024</div>', 'Jane Doe'],
    ['en', '<div class="byline">by Jane Doe | Staff Writer | Updated 3 May</div>', 'Jane Doe'],
    ['en', '<div class="byline"><span>Jane Doe</span><span>Business reporter, The Site</span></div>', 'Jane Doe'],
    ['en', '<div class="article__byline"><div>Jane Doe</div><div>Published 3 hours ago</div></div>', 'Jane Doe'],
    ['en', '<div class="ArticleByline"><span>By Jane Doe</span></div>', 'Jane Doe'],
    ['en', '<div id="byline">By Jane Doe, Washington Correspondent</div>', 'Jane Doe'],
    ['en', '<div data-testid="byline">Jane Doe</div>', 'Jane Doe'],
    ['en', '<span class="c-byline__author-name">Jane Doe</span>', 'Jane Doe'],
    ['en', '<span class="author vcard"><a class="url fn n" href="/author/jane/">Jane Doe</a></span>', 'Jane Doe'],
    ['en', '<div class="p-author h-card"><img alt="" src="/j.png">Jane Doe</div>', 'Jane Doe'],
    ['en', '<a class="gh-article-author-name" href="/author/jane/">Jane Doe</a>', 'Jane Doe'],
    ['en', '<a href="/author/jane-doe/">Jane Doe</a>', 'Jane Doe'],
    ['en', '<a class="th-meta" href="/about/editors/jane-doe/">Jane Doe</a>', 'Jane Doe'],
    [
      'en',
      '<a data-testid="authorName" href="https://pub.example/@jane">Jane Doe</a><span>5 min read</span>',
      'Jane Doe',
    ],
    [
      'en',
      '<div class="submitted">Submitted by <span class="username">jdoe</span> on Tue, 03/12/2024 - 10:00</div>',
      'jdoe',
    ],
    ['en', '<div class="author-block"><b>Jane Doe</b><i>Head of Design</i></div>', 'Jane Doe'],
    ['en', '<div class="post__author"><span>JD</span><div>Jane Doe</div></div>', 'Jane Doe'],
    ['en', '<span class="byline"><i>Author</i> <a href="/x/jane">Jane Doe</a></span>', 'Jane Doe'],
    ['en', '<p>Guest post by Jane Doe</p>', 'Jane Doe'],
    ['en', '<div class="byline">Reporting by Jane Doe; Editing by Al Roe</div>', 'Jane Doe'],
    ['en', '<p class="dateline">Jane Doe</p>', 'Jane Doe'],
    ['en', '<p><span>JANE DOE AP Sports Writer</span> <time>May 3, 2024</time></p>', 'JANE DOE'],
    ['en', '<p>Jane Doe, Senior Reporter</p>', 'Jane Doe'],
    ['de', '<p>Max Müller, Redakteur</p>', 'Max Müller'],
    ['es', '<p>José Pérez, corresponsal</p>', 'José Pérez'],
    ['ja', '<p>山田太郎 記者</p>', '山田太郎'],
    ['ko', '<p>김민수 기자</p>', '김민수'],
    ['de', '<p>Von Max Müller</p>', 'Max Müller'],
    ['de', '<p>Ein Kommentar von <a href="/autoren/max">Max Müller</a></p>', 'Max Müller'],
    ['de', '<span class="autor">Max Müller, dpa</span>', 'Max Müller'],
    ['de', '<p>Von Max Müller, Redakteur in Berlin</p>', 'Max Müller'],
    ['de', '<div class="author">Max Müller<br>Stand: 12.03.2024, 10:15 Uhr</div>', 'Max Müller'],
    ['fr', '<p>Par Amélie Dupont</p>', 'Amélie Dupont'],
    [
      'fr',
      '<p>Par <a href="/journaliste/amelie">Amélie Dupont</a>, publié le 12 mars 2024 à 10h15</p>',
      'Amélie Dupont',
    ],
    ['fr', '<span class="auteur">Amélie Dupont (avec AFP)</span>', 'Amélie Dupont'],
    ['es', '<p>Por José Pérez</p>', 'José Pérez'],
    ['es', '<p class="firma">José Pérez</p>', 'José Pérez'],
    ['es', '<div class="autor">José Pérez, corresponsal</div>', 'José Pérez'],
    ['it', '<p>di Giulia Rossi</p>', 'Giulia Rossi'],
    ['it', '<p class="autore">di Giulia Rossi - 12 marzo 2024</p>', 'Giulia Rossi'],
    ['pt', '<p>Por João Silva, G1</p>', 'João Silva'],
    ['pt', '<p class="autoria">João Silva</p>', 'João Silva'],
    ['nl', '<p>Door Sanne de Vries</p>', 'Sanne de Vries'],
    ['nl', '<p class="auteur">Door: Sanne de Vries</p>', 'Sanne de Vries'],
    ['pl', '<p>Autor: Anna Kowalska</p>', 'Anna Kowalska'],
    ['pl', '<p>Opracowanie: Anna Kowalska</p>', 'Anna Kowalska'],
    ['sv', '<p>Av Lars Åkesson</p>', 'Lars Åkesson'],
    ['da', '<p>Af Mette Sørensen</p>', 'Mette Sørensen'],
    ['tr', '<p>Yazan: Ayşe Yılmaz</p>', 'Ayşe Yılmaz'],
    ['ja', '<p>文：山田太郎</p>', '山田太郎'],
    ['ja', '<p>執筆者：山田 太郎</p>', '山田 太郎'],
    ['ja', '<p class="author">山田太郎 記者</p>', '山田太郎'],
    ['zh', '<p>作者：张伟</p>', '张伟'],
    ['zh', '<p>文/张伟</p>', '张伟'],
    ['zh', '<p>记者 张伟</p>', '张伟'],
    ['ko', '<p>글: 김민수</p>', '김민수'],
    ['ko', '<p class="byline">김민수 기자</p>', '김민수'],
    ['ru', '<p>Автор: Иван Петров</p>', 'Иван Петров'],
    ['ru', '<p>Текст: Иван Петров</p>', 'Иван Петров'],
    ['ar', '<p>بقلم أحمد علي</p>', 'أحمد علي'],
    ['ar', '<p>الكاتب: أحمد علي</p>', 'أحمد علي'],
  ])('%s: %s', (lang, body, author) => expect(authorOf(page(lang, body))).toBe(author))

  const LONG = 'Words of it. '.repeat(100)
  it.each<[what: string, body: string, author: string]>([
    ['behind a block', `<div>Comments <div>Print</div> By Jane Doe<br>Harbour Wire<br>${LONG}</div>`, 'Jane Doe'],
    ['behind a line break', `<div><i>Analysis</i><br>By <a href="/x">Jane Doe</a><br>${LONG}</div>`, 'Jane Doe'],
    ['in front of a paragraph', `<div>By Jane Doe<p>${LONG}</p></div>`, 'Jane Doe'],
    ['in German', `<div>Wetter<br>Von Max Müller<br>${LONG}</div>`, 'Max Müller'],
    ['in French', `<div>Météo<br>Par Amélie Dupont<br>${LONG}</div>`, 'Amélie Dupont'],
    ['in Russian', `<div>Погода<br>Автор: Иван Петров<br>${LONG}</div>`, 'Иван Петров'],
    ['over two lines', `<div>By<br>Jane Doe<br>12 March 2024</div>`, 'Jane Doe'],
  ])('is named in a line %s', (_, body, author) => expect(authorOf(page('en', body))).toBe(author))

  it.each<[lang: string, html: string, author: string]>([
    [
      'en',
      '<title>Rain is coming - Courier</title><h1>Sports and Weather</h1><h2>Rain is coming</h2><ul><li>Article by: <b>JANE DOE</b> Harbour Wire</li></ul>',
      'JANE DOE',
    ],
    [
      'fr',
      '<title>La pluie arrive | Le Courrier</title><h1>Météo marine</h1><div>La pluie arrive</div><div>Par Amélie Dupont</div>',
      'Amélie Dupont',
    ],
  ])('%s: is that below the headline, though the first heading names a section', (lang, html, author) =>
    expect(authorOf(`<html lang="${lang}">${html}<p>Text.</p>`)).toBe(author),
  )

  it.each<[lang: string, body: string, author: string]>([
    ['en', '<p>2/26/2024 7:11 AM PST BY JANE DOE</p>', 'JANE DOE'],
    ['en', '<p>Jun 6, 2024 08:59 AM ET // by Jane Doe</p>', 'Jane Doe'],
    ['en', '<p>Posted on March 12, 2024 by <a href="/x">Jane Doe</a> in Weather</p>', 'Jane Doe'],
    ['en', '<p>Posted on March 12, 2024 by <a href="/x">Jane Doe</a><br>Words of it.</p>', 'Jane Doe'],
    ['de', '<p>12. März 2024, 10:15 Uhr von Max Müller</p>', 'Max Müller'],
    ['fr', '<p>Publié le 12 mars 2024 par <b>Amélie Dupont</b></p>', 'Amélie Dupont'],
    ['es', '<p>12 de marzo de 2024 por José Pérez</p>', 'José Pérez'],
    ['it', '<p>12 marzo 2024 di Giulia Rossi</p>', 'Giulia Rossi'],
    ['nl', '<p>12 maart 2024 door Sanne de Vries</p>', 'Sanne de Vries'],
    ['sv', '<p>12 mars 2024 av Lars Åkesson</p>', 'Lars Åkesson'],
  ])('%s: is that behind a date: %s', (lang, body, author) => expect(authorOf(page(lang, body))).toBe(author))

  it.each(['<p>Closed on March 12, 2024 by order</p>', '<p>Until March 12, 2024 by 10:15</p>'])(
    'is not a word behind a date: %s',
    (body) => expect(authorOf(page('en', body))).toBeUndefined(),
  )

  it.each([
    ['a heading in a link', '<a href="/news/story"><h2>Rain came back</h2></a>'],
    ['a link in a heading', '<h2><a href="https://site.example/news/story?from=h2#top">Rain came back</a></h2>'],
  ])('is that behind %s to the page itself', (_, link) => {
    expect(authorOf(page('en', `${link}<p class="byline">By Jane Doe</p>`))).toBe('Jane Doe')
  })

  it('is the one near the headline, not the author of a teaser', () => {
    const teaser = '<div><h3><a href="/other">Other</a></h3><p class="byline">By Al Roe</p></div>'
    expect(authorOf(page('en', `<p class="byline">By Jane Doe</p>${'<p>Words of it.</p>'.repeat(50)}${teaser}`))).toBe(
      'Jane Doe',
    )
    expect(authorOf(page('en', `${teaser}${teaser.replace('Al Roe', 'Bo Lee')}`))).toBeUndefined()
  })

  it('is not the author of a comment', () => {
    const comments = '<div id="comments"><ol class="commentlist"><li><b class="author">Al Roe</b> says</li></ol></div>'
    expect(authorOf(page('en', comments))).toBeUndefined()
    expect(authorOf(page('en', `<p class="author">Jane Doe</p>${comments}`))).toBe('Jane Doe')
  })
})

describe('the author below a long article', () => {
  const article = (lang: string, end: string) => page(lang, `${'<p>The rain of it.</p>'.repeat(100)}${end}`)

  it.each<[how: string, lang: string, end: string, author: string]>([
    ['in a separate line', 'en', '<p>Written by Jane Doe<br>Copyright: The Site</p>', 'Jane Doe'],
    ['in brackets', 'en', '<p>(Reporting by Jane Doe and Al Roe; Editing by Bo Lee)</p>', 'Jane Doe and Al Roe'],
    ['after a dash', 'en', '<p>— Reported by Jane Doe</p>', 'Jane Doe'],
    ['in German', 'de', '<p>Text: Anna Muster</p>', 'Anna Muster'],
    ['in German with a preposition', 'de', '<p>Verfasst von Anna Muster</p>', 'Anna Muster'],
    ['in French', 'fr', '<p>Rédigé par Élodie Martin</p>', 'Élodie Martin'],
    ['in Spanish', 'es', '<div>Texto: Lucía Pérez</div>', 'Lucía Pérez'],
    ['in Italian', 'it', '<p>Testo di Chiara Conti</p>', 'Chiara Conti'],
    ['in Swedish', 'sv', '<p>Skrivet av Åsa Berg</p>', 'Åsa Berg'],
    ['in Russian', 'ru', '<p>Текст: Анна Петрова</p>', 'Анна Петрова'],
    ['in Japanese', 'ja', '<p>取材・文／山田花子</p>', '山田花子'],
  ])('%s', (_, lang, end, author) => expect(authorOf(article(lang, end))).toBe(author))

  it.each<[what: string, lang: string, end: string]>([
    ['two of them', 'en', '<p>Written by Jane Doe</p><p>Written by Al Roe</p>'],
    ['of a comment', 'en', '<ol id="comments"><li>Written by Al Roe</li></ol>'],
    ['a teaser', 'en', '<p>By Al Roe</p>'],
    ['a sentence', 'en', '<p>Written by hand, the letter was found in a drawer.</p>'],
    ['a message', 'en', '<p>Text Jane Doe for more</p>'],
    ['help', 'en', '<p>(Additional reporting by Al Roe)</p>'],
  ])('is not %s', (_, lang, end) => expect(authorOf(article(lang, end))).toBeUndefined())

  it('is not taken if the byline is in its usual place', () => {
    expect(authorOf(article('en', '<p>Written by Al Roe</p>').replace('</h1>', '</h1><p>By Jane Doe</p>'))).toBe(
      'Jane Doe',
    )
  })
})

describe('what is not an author', () => {
  it.each<[what: string, html: string]>([
    [
      'an infobox',
      page(
        'en',
        `<table class="infobox vcard"><tr><td>Born 1 May 1900</td></tr>${'<tr><td>Fact</td></tr>'.repeat(30)}</table>`,
      ),
    ],
    ['a short infobox', page('en', '<table class="infobox vcard"><tr><th>Capital</th></tr></table>')],
    ['a placeholder', '<meta name="author" content="undefined"><meta name="dc.creator" content="{{author}}">'],
    ['a failed template', '<meta name="author" content="[object Object]"><meta name="byl" content="FAIL">'],
    ['an account', '<meta name="twitter:creator" content="jane_doe">'],
    ['a broken value of Parse.ly', `<meta name="parsely-page" content='{"author":"Jane Doe'>`],
    ['a list of Parse.ly', `<meta name="parsely-page" content='[{"author":"Jane Doe"}]'>`],
    ['an account of a program', '<meta name="author" content="admin"><meta name="byl" content="root">'],
    ['an action', page('en', '<a rel="author" href="/profile/add">Add to Recipe Box</a>')],
    ['the credit of a theme', page('en', '<p class="theme-author">Powered by</p>')],
    [
      'a reviewer',
      page('en', '<div class="review-content"><a class="reviewer-name" href="/profile/AlRoe">Al Roe</a></div>'),
    ],
    ['nothing', '<meta name="author" content="N/A"><meta name="dc.creator" content="null">'],
    [
      'an address',
      '<meta name="author" content="mailto:jane@site.example"><meta name="byl" content="jane@site.example">',
    ],
    ['a date', page('en', '<p class="byline">12 March 2024</p>')],
    [
      'a paragraph',
      page('en', '<p class="author">She wrote about the sea for forty years. Her novels were read by many people.</p>'),
    ],
    ['a sentence', page('en', '<p>By midnight, the streets were empty and nobody spoke.</p>')],
    ['a sentence in French', page('fr', '<p>Par ailleurs, le ministre a confirmé la nouvelle.</p>')],
    ['a sentence in Spanish', page('es', '<p>Por ahora no hay datos sobre el accidente.</p>')],
    ['a sentence in German', page('de', '<p>Von der Küste bis zu den Alpen regnet es.</p>')],
    ['a photographer', page('en', '<p>Jane Doe/Staff Photographer</p>')],
    ['somebody with a role in a sentence', page('en', '<p>Jane Doe met Al Roe, a senior editor</p>')],
    ['a person with a role far below', page('en', `${'<p>Words of it.</p>'.repeat(100)}<p>Jane Doe, Editor</p>`)],
    ['a role in an organisation', page('en', '<p>HBC Harbour correspondent</p>')],
    ['a place in a dateline', page('en', '<p><span class="dateline">LISBON</span> — It rains.</p>')],
    ['a place in a dateline in Polish', page('pl', '<p class="byline">GDAŃSK, Polska</p>')],
    ['a role alone', page('en', '<p>Senior Staff Writer</p>')],
    ['a sentence behind a line', page('en', '<p>It rained.<br>By Monday, the streets were empty.</p>')],
    ['the author of a review', page('en', '<div class="reviews"><span class="review-author">By Al Roe</span></div>')],
    ['a time', page('en', '<p class="byline">3 hours ago</p>')],
    ['a link to more', page('en', '<a rel="author" href="/authors">View all posts</a>')],
  ])('%s', (_, html) => expect(authorOf(html)).toBeUndefined())
})

it('tells the source of each candidate, and why one was preferred', () => {
  const html =
    '<meta name="author" content="The Site"><meta property="og:site_name" content="The Site"><p class="byline">By Jane Doe</p>'
  const [best, other] = rankCandidates(parseHtml(html, PAGE_URL)).author
  expect(best).toMatchObject({ value: 'Jane Doe', source: 'byline' })
  expect(other).toMatchObject({ value: 'The Site', source: 'meta author', reasons: ['is the publisher'] })
})
