// Covers title, description, publisher and language, with the reasons for each choice.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates, rankCandidates } from '../../../../src/server/page/find-candidates.js'
import type { MetadataField } from '../../../../src/server/page/fields/index.js'
import { jsonLd, og } from '../declarations.js'

const PAGE_URL = 'https://www.the-site.example/news/story'
const best = (field: MetadataField, html: string) => findCandidates(parseHtml(html, PAGE_URL))[field][0]

describe('the title', () => {
  it.each<[what: string, html: string, title: string]>([
    [
      'of the page, not of its entry in a knowledge base',
      `<title>List of rivers - Wiki</title><h1>List of rivers</h1>${jsonLd({ '@type': 'Article', name: 'List of rivers', headline: 'Wikimedia list article' })}`,
      'List of rivers',
    ],
    [
      'of a knowledge base in German',
      `<title>Anna Beispiel – Wiki</title><h1>Anna Beispiel</h1>${jsonLd({ '@type': 'Article', headline: 'deutsche Malerin' })}`,
      'Anna Beispiel',
    ],
    [
      'of a knowledge base in Japanese',
      `<title>富士山 - ウィキ</title><h1>富士山</h1>${jsonLd({ '@type': 'Article', headline: '日本の最高峰' })}`,
      '富士山',
    ],
    [
      'is the headline of a news site',
      `<title>Rain ahead | The Site</title>${jsonLd({ '@type': 'NewsArticle', headline: 'Rain ahead, says office' })}`,
      'Rain ahead, says office',
    ],
    [
      'has its site removed when the heading shows it',
      '<title>Regen kommt | Die Zeitung</title><h1>Regen kommt</h1>',
      'Regen kommt',
    ],
    [
      'has its site removed in front',
      '<a href="/">Die Zeitung</a><title>Die Zeitung: Regen kommt</title><h1>Regen kommt</h1>',
      'Regen kommt',
    ],
    ['has the name of the host removed', '<title>Rain is coming - The Site</title>', 'Rain is coming'],
    [
      'has the name of the declared site removed',
      `<title>Rain is coming — Wire &amp; Co</title>${og('site_name', 'Wire &amp; Co')}`,
      'Rain is coming',
    ],
    [
      'has a declared site removed in front of it',
      `${og('site_name', 'Codehouse')}${og('title', 'Codehouse - mira/tide: Tide tables in 400 lines')}`,
      'mira/tide: Tide tables in 400 lines',
    ],
    [
      'has a declared site removed in front of a colon',
      `${og('site_name', 'pkg')}${og('title', 'pkg: tidewater')}<title>tidewater - pkg</title>`,
      'tidewater',
    ],
    [
      'keeps a subject in front of a hyphen',
      `${og('site_name', 'Courier')}${og('title', 'Rain - what to expect')}`,
      'Rain - what to expect',
    ],
    [
      'of a topic, whose forum has its name in the first heading',
      '<title>Leaking stern gland - Old Gaffers Forum</title><div class="banner"><h1>Old Gaffers Forum</h1><p>For owners</p></div><h2 class="topic-title"><a href="./viewtopic.php?t=8">Leaking stern gland</a></h2>',
      'Leaking stern gland',
    ],
    [
      'of a page with its site in front, and the heading behind it',
      `${og('site_name', 'Courier')}<title>Courier - Rain is coming</title><h1>Rain is coming</h1><h2 class="post-title">Courier</h2>`,
      'Rain is coming',
    ],
    [
      'of the second card, if the title repeats that one',
      `<title>Storm lantern | Kessel</title>${og('title', 'Kessel')}${og('title', 'Storm lantern')}`,
      'Storm lantern',
    ],
    [
      'of the second card, if the heading repeats that one',
      `<title>Kessel shop</title>${og('title', 'Kessel')}${og('title', 'Storm lantern')}<h1>Storm lantern</h1>`,
      'Storm lantern',
    ],
    [
      'of the first card, if the page repeats that one',
      `<title>Storm lantern</title>${og('title', 'Storm lantern')}${og('title', 'Kessel')}<h1>Kessel</h1>`,
      'Storm lantern',
    ],
    ['without the separator of an empty template', '<title> - The Tube</title>', 'The Tube'],
    ['with the dash of a quotation', '<title>- Vi må handle nå</title>', '- Vi må handle nå'],
    [
      'is not the message of an application for its failure',
      '<h1>Harbour</h1><div style="display: none"><h1>Something went wrong</h1></div>',
      'Harbour',
    ],
    [
      'of an article that scripts display, if the document names it',
      '<title>Rain is coming, says office</title><div style="display:none"><h1>Rain is coming</h1></div>',
      'Rain is coming, says office',
    ],
    ['keeps parts that are no site', '<title>Rain - what to expect</title>', 'Rain - what to expect'],
    [
      'is not the logo of the site, though it is a heading',
      '<title>Bugle &amp; Sons - Rain is coming</title><h1><a href="/">Bugle &amp; Sons</a></h1>',
      'Rain is coming',
    ],
    ['keeps a hyphen', '<title>A by-election result</title><h1>Result</h1>', 'A by-election result'],
    [
      'is not the name of the site',
      `${og('title', 'The Site')}${og('site_name', 'The Site')}<title>Rain is coming - The Site</title><h1>Rain is coming</h1>`,
      'Rain is coming',
    ],
    [
      'of Dublin Core',
      '<title>Rain</title><meta property="og:title" content="Rain!"><meta property="dc:title" content="Rain is coming">',
      'Rain is coming',
    ],
    [
      'of several properties in one',
      '<meta property="x:title dc:title" content="Rain is coming"><meta property="og:title twitter:title" content="Rain!">',
      'Rain is coming',
    ],
    [
      'of the page, not the Dublin Core title of the whole site',
      `${og('title', 'Rain is coming')}<meta name="DC.title" content="Weather, wind and waves"><h1>Rain is coming</h1>`,
      'Rain is coming',
    ],
    [
      'of Dublin Core has its site removed',
      `${og('site_name', 'Haven')}<meta name="DC.title" content="Rain is coming | Haven">`,
      'Rain is coming',
    ],
    ['of Dublin Core in capitals', '<title>Ministry: Rain</title><meta name="DCTERMS.title" content="Rain">', 'Rain'],
    ['of a scholarly page', '<title>[1234.5678] Rain</title><meta name="citation_title" content="On Rain">', 'On Rain'],
    ['of a plain meta', '<meta name="title" content="Rain">', 'Rain'],
    ['with escaped quotes', og('title', `It\\'s the world\\'s oldest`), "It's the world's oldest"],
    ['with a backslash', og('title', 'C:\\\\Rain'), 'C:\\\\Rain'],
    ['is not a placeholder', `${og('title', 'undefined')}<title>Rain</title>`, 'Rain'],
    ['is not a template', `${og('title', '{{ page.title }}')}<title>Rain</title>`, 'Rain'],
    ['is not an object', `${og('title', '[object Object]')}<h1>Rain</h1>`, 'Rain'],
    ['is not a failure', `<meta name="twitter:title" content="FAIL"><title>Rain</title>`, 'Rain'],
    ['is not filler', `${og('title', 'Lorem ipsum dolor sit amet')}<title>Rain</title>`, 'Rain'],
    ['may be a word that placeholders use', '<title>Null</title>', 'Null'],
    [
      'of a shop',
      `<title>Blue mug – buy online | Shop</title>${jsonLd({ '@type': 'Product', name: 'Blue mug' })}${og('title', 'Blue mug')}`,
      'Blue mug',
    ],
    ['is not a generic word', '<title>Home</title><h1>Rain is coming</h1>', 'Rain is coming'],
    ['is not "Untitled"', '<title>Untitled Document</title><h1>Дождь идёт</h1>', 'Дождь идёт'],
    [
      'of a documentation',
      '<title>Rain — The Site 1.2 documentation</title><h1>Rain<a class="headerlink" href="#rain">¶</a></h1>',
      'Rain',
    ],
    ['of a heading with a permalink', '<h1>Rain<a class="anchor" href="#rain">#</a></h1>', 'Rain'],
    ['of a heading over two lines', '<h1>Rain<br>ahead</h1>', 'Rain ahead'],
    [
      'is not a description that shares a word with the name',
      `<title>Storm lantern - Encyclopedia</title><h1>Storm lantern</h1>${jsonLd({ '@type': 'Article', name: 'Storm lantern', headline: 'lantern that burns in the rain' })}`,
      'Storm lantern',
    ],
    [
      'may be a headline beside the name of a product',
      `<h1>Why this lantern burns in the rain</h1>${jsonLd({ '@type': 'Article', name: 'Storm lantern', headline: 'Why this lantern burns in the rain' })}`,
      'Why this lantern burns in the rain',
    ],
    ['is not an address', '<title>https://site.example/rain</title><h1>Rain</h1>', 'Rain'],
    ['is not the name of a page', '<title>rain.html</title><h1>Rain</h1>', 'Rain'],
    ['is not the name of a script', '<title>show.php</title><h1>Rain</h1>', 'Rain'],
    ['is not the name of a document', '<title>Rain_final-2.docx</title><h1>Rain</h1>', 'Rain'],
    ['is not an address of Open Graph', `<title>Rain</title>${og('title', 'https://site.example/')}`, 'Rain'],
    ['may be the only address', '<title>https://site.example/rain</title>', 'https://site.example/rain'],
    ['may be the name of a file', '<title>index.html</title><h1>index.html</h1>', 'index.html'],
    ['may begin with the name of a file', '<title>index.html explained</title><h1>Rain</h1>', 'index.html explained'],
    ['is not a variable of a plugin', '<title>%%title%% %%page%% %%sep%% %%sitename%%</title><h1>Rain</h1>', 'Rain'],
    ['is not a variable of another plugin', '<title>%title% %sep% %sitename%</title><h1>Rain</h1>', 'Rain'],
    ['may have per cent', '<title>Where is %appdata%?</title><h1>Rain</h1>', 'Where is %appdata%?'],
    [
      'of the French page',
      '<html lang="fr"><title>La pluie arrive - Le Journal</title><h1>La pluie arrive</h1>',
      'La pluie arrive',
    ],
    ['of the Arabic page', '<html lang="ar"><title>المطر قادم | الموقع</title><h1>المطر قادم</h1>', 'المطر قادم'],
    ['of the Chinese page', '<html lang="zh"><title>大雨将至_新闻网</title><h1>大雨将至</h1>', '大雨将至'],
    ['of the Russian page', '<html lang="ru"><title>Идёт дождь — Газета</title><h1>Идёт дождь</h1>', 'Идёт дождь'],
  ])('%s', (_, html, title) => expect(best('title', html)).toBe(title))
})

describe('the description', () => {
  it.each<[what: string, html: string, description: string | undefined]>([
    ['is not a placeholder', `${og('description', 'null')}<meta name="description" content="It rains.">`, 'It rains.'],
    [
      'is not a template',
      `${og('description', '{{description}}')}<meta name="description" content="Es regnet.">`,
      'Es regnet.',
    ],
    [
      'is not filler',
      `${og('description', 'Lorem ipsum dolor sit amet')}<meta name="description" content="Il pleut.">`,
      'Il pleut.',
    ],
    [
      'is not the title again',
      `<title>Rain</title>${og('title', 'Rain')}${og('description', 'Rain')}<meta name="description" content="It will rain on Monday.">`,
      'It will rain on Monday.',
    ],
    [
      'is not the name of the site',
      `${og('site_name', 'Le Courrier')}${og('description', 'Le Courrier')}<meta name="description" content="Il pleut lundi.">`,
      'Il pleut lundi.',
    ],
    [
      'is not the beginning of a broken attribute',
      `${og('description', 'The')}<meta name="description" content="The rain is coming.">`,
      'The rain is coming.',
    ],
    ['may be the title when there is no other', `${og('title', 'Rain')}${og('description', 'Rain')}`, 'Rain'],
    ['of Dublin Core', '<meta property="dc:description" content="Llueve.">', 'Llueve.'],
    ['is not the one of a new blog', og('description', 'Just another WordPress site'), undefined],
    ['is not the one of a new blog, German', og('description', 'Eine weitere WordPress-Website'), undefined],
    ['may mention one', og('description', 'Not just another WordPress site.'), 'Not just another WordPress site.'],
    [
      'is not a variable of a plugin',
      `${og('description', '%%excerpt%%')}${og('description', 'It rains.')}`,
      'It rains.',
    ],
    [
      'of the page, not of the site',
      `${og('description', 'All the weather')}<meta name="description" content="It rains.">${jsonLd({ '@type': 'WebSite', name: 'Haven', description: 'All the weather' })}`,
      'It rains.',
    ],
    [
      'without markup that is escaped twice',
      og('description', '&amp;lt;p&amp;gt;It &amp;lt;b&amp;gt;rains&amp;lt;/b&amp;gt;.&amp;lt;/p&amp;gt;'),
      'It rains.',
    ],
    [
      'is better without the label of a link to its rest',
      `${og('description', 'It rains in the... Read more »')}<meta name="description" content="It rains in the north.">`,
      'It rains in the north.',
    ],
    [
      'has such a label if there is no other',
      og('description', 'Es regnet ... Weiterlesen'),
      'Es regnet ... Weiterlesen',
    ],
    [
      'is not its heading',
      `${og('title', 'Rain is coming, says office')}${og('description', 'Rain is coming')}<h1>Rain is coming</h1>${jsonLd({ '@type': 'Article', description: 'It rains.' })}`,
      'It rains.',
    ],
    ['of DCTERMS', '<meta name="dcterms.abstract" content="Piove.">', 'Piove.'],
    [
      'of a scholarly page',
      '<meta name="citation_abstract" content="Es wird Regen untersucht.">',
      'Es wird Regen untersucht.',
    ],
    [
      'of several properties in one',
      '<meta property="og:description dc:description" content="Pada deszcz.">',
      'Pada deszcz.',
    ],
    [
      'is not an address',
      `${og('description', 'https://site.example/')}<meta name="description" content="雨が降る。">`,
      '雨が降る。',
    ],
    [
      'of JSON-LD is not a list of tags',
      jsonLd({ '@type': 'Article', description: '<p>It <b>rains</b>.</p>' }),
      'It rains.',
    ],
  ])('%s', (_, html, description) => expect(best('description', html)).toBe(description))
})

describe('the description of a publishing system that has not replaced its shortcodes', () => {
  it.each<[text: string, description: string | undefined]>([
    ['[vc_row][vc_column width="1/2"][vc_column_text]It rains.[/vc_column_text][/vc_column][/vc_row]', 'It rains.'],
    ['[glossary_exclude]It rains.[/glossary_exclude] Take a coat.', 'It rains. Take a coat.'],
    ['[vc_row][vc_column][vc_column_text]It rains in the north and…', 'It rains in the north and…'],
    ['[et_pb_text admin_label=”Text” text_color=”dark”] It rains.', 'It rains.'],
    ['[av_one_full first][av_heading tag=&#8217;h2&#8217;]It rains.', 'It rains.'],
    ['[caption id="attachment_7" width="600"]The quay[/caption] It rains.', 'The quay It rains.'],
    ['It rains. [gallery ids="1,2,3"]', 'It rains.'],
    ['It [b]rains[/b] in the [url=https://north.example]north[/url].', 'It rains in the north.'],
    ['[quote="Bob"]It rains.[/quote] I know.', 'It rains. I know.'],
    ['[sitetree_link,id=12]Rain[/sitetree_link]', 'Rain'],
    ['[vc_row][vc_column][/vc_column][/vc_row]', undefined],
    ['“It rain [sic] today” [1]', '“It rain [sic] today” [1]'],
    ['prog [input_file] [output_file] converts a file', 'prog [input_file] [output_file] converts a file'],
    ['[Updated] It rains [in the north].', '[Updated] It rains [in the north].'],
    ['Use the shortcode [gallery ids="1"] for images.', 'Use the shortcode [gallery ids="1"] for images.'],
    ['How to write [b]bold[/b] in BBCode', 'How to write [b]bold[/b] in BBCode'],
    ['let a = b[some_key]; c[other_key]', 'let a = b[some_key]; c[other_key]'],
    ['a[["x"]] and [["y"', 'a[["x"]] and [["y"'],
  ])('%s', (text, description) => {
    expect(best('description', og('description', text.replaceAll('"', '&quot;')))).toBe(description)
  })
})

describe('the first paragraph as a description', () => {
  const RAIN = 'Rain is water that falls from clouds in drops. It is a part of the water cycle.'
  const of = (body: string, head = '') => best('description', `${head}<h1>Rain</h1>${body}`)

  it.each([
    ['of a page that declares none', `<p>${RAIN}</p><p>More of it, and a lot more than that.</p>`, RAIN],
    ['behind short and empty ones', `<p></p><p>By Jane Doe</p><p class="lead">${RAIN}</p>`, RAIN],
    [
      'without references to notes',
      `<p>Rain[1] is water that falls from clouds in drops, or so they say.[12]</p>`,
      'Rain is water that falls from clouds in drops, or so they say.',
    ],
    [
      'in Japanese',
      '<p>雨とは、大気から水の滴が落下する現象で、降水現象および天候の一種である。</p>',
      '雨とは、大気から水の滴が落下する現象で、降水現象および天候の一種である。',
    ],
    [
      'behind a table of facts',
      `<table><tr><th>Kind</th><td><p>${RAIN} A fact of the table.</p></td></tr></table><p>${RAIN}</p>`,
      RAIN,
    ],
    ['behind a caption', `<figure><figcaption><p>${RAIN} Or not.</p></figcaption></figure><p>${RAIN}</p>`, RAIN],
    ['with a class of pictures with captions', `<p class="has-caption-below">${RAIN}</p>`, RAIN],
    [
      'behind a long table of facts',
      `<table>${'<tr><th>Fact</th><td>Words of the table, and more</td></tr>'.repeat(80)}</table><p>${RAIN}</p>`,
      RAIN,
    ],
    ['in an open dialog', `<dialog open><p>${RAIN}</p></dialog>`, RAIN],
    ['in an object without data', `<object><p>${RAIN}</p></object>`, RAIN],
    [
      'in place of a plugin that no browser has',
      `<object data="/r.swf" type="application/x-shockwave-flash"><p>${RAIN}</p></object>`,
      RAIN,
    ],
    ['behind what is not displayed', `<div style="display:none"><p>Thanks. ${RAIN}</p></div><p>${RAIN}</p>`, RAIN],
    [
      'behind the notice of a document',
      `<object data="/r.pdf"><p>This browser does not show it. ${RAIN}</p></object><p>${RAIN}</p>`,
      RAIN,
    ],
    [
      'in Arabic',
      '<p>المطر هو شكل من أشكال قطرات الماء المتساقطة من السحاب في السماء؟</p>',
      'المطر هو شكل من أشكال قطرات الماء المتساقطة من السحاب في السماء؟',
    ],
  ])('%s', (_, body, text) => expect(of(body)).toBe(text))

  it.each([
    ['a notice', '<p>We use cookies to make this page better for you and for our partners everywhere.</p>'],
    ['half a sentence', '<p>Rain is water that falls from clouds in drops, and there is more to say about it</p>'],
    ['a teaser of another page', `<aside><p>${RAIN}</p></aside><div class="related"><p>${RAIN}</p></div>`],
    ['a link', `<a href="/other"><p>${RAIN}</p></a>`],
    ['hidden', `<p hidden>${RAIN}</p>`],
    ['a caption', `<figure><img src="/r.jpg"><figcaption><p>${RAIN}</p></figcaption></figure>`],
    ['a caption by its class', `<div class="wp-caption"><p class="wp-caption-text">${RAIN}</p></div>`],
    ['another caption by its class', `<p class="image_caption small">${RAIN}</p>`],
    ['in the footer of the site', `<footer><div><p>${RAIN}</p></div></footer>`],
    ['in a comment', `<h2>3 comments</h2><div><p>${RAIN}</p></div>`],
    ['in a menu', `<nav><p>${RAIN}</p></nav>`],
    [
      'a notice for old browsers',
      '<p>You are using an <b>outdated</b> browser. Please <a href="/b">upgrade your browser</a> to see this page.</p>',
    ],
    ['a notice about links', '<p>We may earn a commission if you buy something through the links on this page.</p>'],
    ['in what is not displayed', `<div style="display:none"><div><p>${RAIN}</p></div></div>`],
    ['in a closed dialog', `<dialog id="share"><p>${RAIN}</p></dialog>`],
    ['in place of a document', `<object data="/r.pdf" type="application/pdf"><p>${RAIN}</p></object>`],
    ['in place of a video', `<video src="/r.mp4"><p>${RAIN}</p></video>`],
    ['in place of audio', `<audio src="/r.mp3"><div><p>${RAIN}</p></div></audio>`],
    ['in place of a drawing', `<canvas id="sky"><p>${RAIN}</p></canvas>`],
    ['a step', '<p>2) Wait for the rain, which takes a few hours, and then go outside with a bucket.</p>'],
    ['far below', `${'<div>Words of the page.</div>'.repeat(200)}<p>${RAIN}</p>`],
  ])('is not %s', (_, body) => expect(of(body)).toBeUndefined())

  it('is in an element with the headline that scripts display later', () => {
    const html = `<title>Rain</title><div id="app" style="display:none"><h1>Rain</h1><p>${RAIN}</p></div>`
    expect(best('description', html)).toBe(RAIN)
  })

  it('ends after 300 characters', () => {
    expect(of(`<p>${RAIN.repeat(20)}</p>`)).toHaveLength(300)
  })

  it('is worse than a declared one', () => {
    expect(of(`<p>${RAIN}</p>`, og('description', 'It rains.'))).toBe('It rains.')
  })
})

describe('the publisher', () => {
  it.each<[what: string, html: string, publisher: string | undefined]>([
    ['is the part of the title that names the host', '<title>Rain is coming - The Site</title>', 'The Site'],
    ['in front of the title', '<title>The-Site.example: Rain is coming</title>', 'The-Site.example'],
    ['of Dublin Core', '<meta property="dc:publisher" content="Ministerstwo">', 'Ministerstwo'],
    [
      'of a scholarly page',
      '<meta name="citation_journal_title" content="Journal of Rain"><meta name="citation_publisher" content="Press">',
      'Journal of Rain',
    ],
    ['of a publisher alone', '<meta name="citation_publisher" content="Press">', 'Press'],
    [
      'is not a placeholder',
      `${og('site_name', 'undefined')}${jsonLd({ '@type': 'WebSite', name: 'Le Site' })}`,
      'Le Site',
    ],
    ['is not a template', `${og('site_name', '{{site}}')}<title>Rain is coming - The Site</title>`, 'The Site'],
    [
      'of a referenced organisation',
      jsonLd({
        '@graph': [
          { '@type': 'WebPage', publisher: { '@id': '#o' } },
          { '@type': 'Organization', '@id': '#o', name: 'De Krant' },
        ],
      }),
      'De Krant',
    ],
    [
      'is not a whole sentence',
      `${og('site_name', 'The best site for rain and wind and all the weather of the whole wide world, with news and more than that, every single day of the year')}${jsonLd({ '@type': 'WebSite', name: '新聞' })}`,
      '新聞',
    ],
    [
      'is the name of a host',
      `${og('site_name', 'thesite.example')}${jsonLd({ '@type': 'WebSite', name: 'The Site' })}`,
      'The Site',
    ],
    ['is its host, if it has no other name', og('site_name', 'thesite.example'), 'thesite.example'],
    [
      'of a link to the home page without text',
      '<title>Rain is coming | Weather for all</title><a href="/" title="The Site"><svg></svg></a>',
      'The Site',
    ],
    [
      'of a feed',
      '<title>Rain | Harbour | Weather for all</title><link rel="alternate" type="application/rss+xml" title="Harbour Notes » Feed" href="/feed">',
      'Harbour Notes',
    ],
    [
      'of a feed with a label',
      '<link rel="alternate" type="application/atom+xml" title="Harbour Notes Atom" href="/feed">',
      'Harbour Notes',
    ],
    ['of an author with the name of the host', jsonLd({ '@type': 'Recipe', author: { name: 'TheSite' } }), 'TheSite'],
    ['without tags', og('site_name', '&lt;span&gt;Quay &lt;b&gt;Paper&lt;/b&gt;&lt;/span&gt;'), 'Quay Paper'],
    [
      'without tags in JSON-LD',
      jsonLd({ '@type': 'Article', publisher: { '@type': 'Organization', name: '<b>Quay</b> Paper' } }),
      'Quay Paper',
    ],
    ['with the signs of its name', og('site_name', 'Salt &lt;3 Rope'), 'Salt <3 Rope'],
    ['without its slogan', og('site_name', 'The Site - All the weather, always'), 'The Site'],
    ['is not the rest of a title', '<title>Rain - what to expect</title>', undefined],
  ])('%s', (_, html, publisher) => expect(best('publisher', html)).toBe(publisher))
})

it('tells the source of the title and why others lost', () => {
  const html = `<title>List of rivers</title>${jsonLd({ '@type': 'Article', headline: 'Wikimedia list article' })}`
  const { title } = rankCandidates(parseHtml(html, PAGE_URL))
  expect(title[0]).toMatchObject({ value: 'List of rivers', source: 'title' })
  expect(title[1]).toMatchObject({
    value: 'Wikimedia list article',
    source: 'JSON-LD headline',
    reasons: ['differs from the page'],
  })
})

describe('two cards', () => {
  const first = `${og('title', 'Kessel')}${og('image', '/kessel.png')}${og('description', 'All for boats.')}`
  const second = `${og('title', 'Storm lantern')}${og('image', '/lantern.png')}`

  it('have their values in the same order', () => {
    const page = `<title>Storm lantern | Kessel</title>${first}${second}`
    expect([best('image', page), best('description', page), best('publisher', page)]).toEqual([
      'https://www.the-site.example/lantern.png',
      'All for boats.',
      'Kessel',
    ])
  })

  it('are left as they are if the page repeats neither', () => {
    expect(best('image', `<title>Lamps</title>${first}${second}`)).toBe('https://www.the-site.example/kessel.png')
  })
})

it.each([
  ['', '<template>', '</template>'],
  [' in others', '<div><template><section><template>', '</template></section></template></div>'],
])('a template%s declares nothing', (_, start, end) => {
  const html = `<title>Rain</title>${start}<title>{t}</title>${og('title', 'Card')}${og('image', '/card.png')}<link rel="canonical" href="/card">${jsonLd({ '@type': 'Article', headline: 'Card', author: { name: 'Al Roe' } })}${end}${og('description', 'It rains.')}${og('image', '/rain.png')}`
  const { title, description, image, author, url } = findCandidates(parseHtml(html, PAGE_URL))
  expect([title, description, image, author]).toEqual([
    ['Rain'],
    ['It rains.'],
    ['https://www.the-site.example/rain.png'],
    [],
  ])
  expect(url[0]).toBe(PAGE_URL)
})

describe('a reading above the text', () => {
  it.each<[what: string, heading: string, title: string]>([
    ['with parentheses', '<ruby>台風<rp>(</rp><rt>たいふう</rt><rp>)</rp></ruby>が来る', '台風が来る'],
    ['without parentheses', '<ruby>台風<rt>たいふう</rt></ruby>が<ruby>来<rt>く</rt></ruby>る', '台風が来る'],
    ['whose elements have no ends', '<ruby>台<rt>たい<rp>)</ruby>風が来る', '台風が来る'],
    ['above several bases', '<ruby><rb>台<rb>風<rt>たい<rt>ふう</ruby>が来る', '台風が来る'],
    ['of several texts', '<ruby>台風<rtc><rt>たい</rt><rt>ふう</rt></rtc></ruby>が来る', '台風が来る'],
    ['in Chinese', '<ruby>颱<rt>ㄊㄞˊ</rt>風<rt>ㄈㄥ</rt></ruby>來了', '颱風來了'],
  ])('is no part of it: %s', (_, heading, title) => expect(best('title', `<h1>${heading}</h1>`)).toBe(title))

  it('is no part of a description and of an author', () => {
    const lead = '大型の台風が明日の夜から北の海に近づくため、港の船は今日のうちにすべて岸に上げられる。'
    const paragraph = lead.replace('台風', '<ruby>台風<rt>たいふう</rt></ruby>')
    const html = `<h1>台風が来る</h1><p class="author"><ruby>山田<rt>やまだ</rt></ruby>太郎</p><p>${paragraph}</p>`
    expect([best('description', html), best('author', html)]).toEqual([lead, '山田太郎'])
  })
})

describe('a shadow root in HTML', () => {
  const lead = 'The harbour has been closed since noon, because the storm has moved its lights.'
  const shown = `<h1>Rain is coming</h1><p>${lead}</p><img src="/rain.jpg" width="800" height="400">`
  const found = (html: string) => {
    const { title, description, image } = findCandidates(parseHtml(html, PAGE_URL))
    return [title[0], description[0], image[0]]
  }
  const values = ['Rain is coming', lead, 'https://www.the-site.example/rain.jpg']

  it.each([
    ['open', `<my-story><template shadowrootmode="open">${shown}</template></my-story>`],
    ['closed', `<my-story><template shadowrootmode="closed">${shown}</template></my-story>`],
    [
      'with a mode in capitals',
      `<div><template shadowrootmode="OPEN" shadowrootdelegatesfocus>${shown}</template></div>`,
    ],
    [
      'in another one',
      `<my-page><template shadowrootmode="open"><style>p{}</style><main><my-story><template shadowrootmode="open">${shown}</template></my-story></main></template></my-page>`,
    ],
    [
      'around what it slots in',
      `<my-page><template shadowrootmode="open"><nav><a href="/">Home</a></nav><slot></slot></template>${shown}</my-page>`,
    ],
    [
      'behind a template that is inert',
      `<template><h1>Card</h1><p>{text}</p></template><my-story><template shadowrootmode="open">${shown}</template></my-story>`,
    ],
  ])('is read: %s', (_, html) => {
    expect(found(html)).toEqual(values)
  })

  it.each([
    ['of an unknown mode', `<template shadowrootmode="none">${shown}</template>`],
    [
      'in an inert template',
      `<template><my-story><template shadowrootmode="open">${shown}</template></my-story></template>`,
    ],
    ['in <noscript>', `<noscript><template shadowrootmode="open">${shown}</template></noscript>`],
  ])('is not shown: %s', (_, html) => {
    expect(found(html)).toEqual([undefined, undefined, undefined])
  })

  it('has no title and no metadata of the document', () => {
    const html = `<title>Rain</title><my-icon><template shadowrootmode="open"><title>Icon</title>${og('title', 'Icon')}</template></my-icon>`
    expect(found(html)[0]).toBe('Rain')
  })
})

it('a page whose only heading is not displayed has no title of it', () => {
  const failure = '<div style="display:none"><h1>Something went wrong, let’s give it another shot.</h1></div>'
  expect(best('title', `<div id="root">${failure}</div>`)).toBeUndefined()
})
