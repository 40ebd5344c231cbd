// Covers links to files of text: what they state, and which file is which.
import { describe, expect, it } from 'vitest'
import { fileKind } from '../../../src/server/page/media-type.js'
import { readTextFile } from '../../../src/server/page/text-file.js'
import { pageSite, send } from './page-site.js'

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
  <title><![CDATA[Harbour &amp; News]]></title><link>https://news.example/</link><description>All that &lt;b&gt;floats&lt;/b&gt;</description>
  <language>en-gb</language><image><url>/logo.png</url><title>Logo</title></image>
  <item><title>First ship</title><description>&lt;p&gt;It came at dawn.&lt;/p&gt;</description></item></channel></rss>`
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="nb"><title type="html">Fyret</title><subtitle>Om fyret</subtitle>
  <author><name>Mira Solheim</name></author><updated>2026-01-31T08:30:00Z</updated><logo>/logo.png</logo>
  <entry><title>Ny lykt</title><author><name>Jon Vik</name></author></entry></feed>`
const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
  <channel><title>Slipways</title><description>Of the north</description></channel><item><title>One</title></item></rdf:RDF>`
const PODCAST = `<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Foghorn</title>
  <itunes:author>Mira Solheim</itunes:author><itunes:summary>Voices in fog</itunes:summary><itunes:image href="/cover.jpg"/></channel></rss>`

describe('a file of text', () => {
  it.each([
    [
      'RSS',
      '/feed',
      'application/rss+xml',
      RSS,
      { title: 'Harbour & News', description: 'All that floats', lang: 'en' },
    ],
    [
      'RSS as plain XML',
      '/rss.xml',
      'text/xml',
      RSS,
      { title: 'Harbour & News', image: expect.stringContaining('/logo.png') },
    ],
    ['Atom', '/atom.xml', 'application/atom+xml', ATOM, { title: 'Fyret', lang: 'nb', author: 'Mira Solheim' }],
    [
      'Atom with texts in XHTML',
      '/atom.xml',
      'application/atom+xml',
      ATOM.replace(
        '<title type="html">Fyret</title><subtitle>Om fyret</subtitle>',
        '<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Fyret <b>i nord</b>!</div></title><subtitle type="xhtml"><x:div><x:p>Om fyret.</x:p><x:p>Og <x:i>havet</x:i>.</x:p></x:div></subtitle>',
      ),
      { title: 'Fyret i nord!', description: 'Om fyret. Og havet.', author: 'Mira Solheim' },
    ],
    [
      'XML whose description is a part of it',
      '/book.xml',
      'text/xml',
      '<book><title>Tides</title><description><genre>sea</genre><date>2026</date></description></book>',
      { title: 'Tides', description: null },
    ],
    ['RSS 1.0', '/index.rdf', 'application/rdf+xml', RDF, { title: 'Slipways', description: 'Of the north' }],
    [
      'a podcast',
      '/p',
      'application/rss+xml',
      PODCAST,
      { title: 'Foghorn', author: 'Mira Solheim', image: expect.stringContaining('/cover.jpg') },
    ],
    [
      'JSON Feed',
      '/feed.json',
      'application/feed+json',
      '{"version":"https://jsonfeed.org/version/1.1","title":"Waves","icon":"/i.png"}',
      { title: 'Waves', image: expect.stringContaining('/i.png') },
    ],
    [
      'OPML',
      '/list.opml',
      'text/x-opml+xml',
      '<opml><head><title>Blogroll</title></head><body/></opml>',
      { title: 'Blogroll' },
    ],
    [
      'a page served as XML',
      '/page',
      'application/xml',
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Om fyret</title><meta name="description" content="Et fyr"/></head></html>',
      { title: 'Om fyret', description: 'Et fyr' },
    ],
    [
      'a feed with tags in its texts',
      '/feed.xml',
      'application/rss+xml',
      '<rss><channel><title>Using &lt;b&gt; in HTML &amp;amp; CSS</title><description><![CDATA[<p>All <b>about</b> it<!--more--><iframe src="/a"></iframe> &ndash; in full</p>]]></description></channel></rss>',
      { title: 'Using <b> in HTML & CSS', description: 'All about it – in full' },
    ],
    [
      'OpenAPI',
      '/openapi.json',
      'application/json',
      '{"openapi":"3.1.0","info":{"title":"Tides API","description":"All tides"}}',
      { title: 'Tides API', description: 'All tides' },
    ],
    [
      'a package',
      '/package.json',
      'application/json',
      '{"name":"tides","description":"Computes tides"}',
      { title: 'tides' },
    ],
    ['JSON as text', '/x.json', 'text/plain', '{"title":"Tides"}', { title: 'Tides' }],
    [
      'Markdown',
      '/README.md',
      'text/plain',
      '![logo](l.png)\n\n# The *tides* of [Bergen](https://b.example)\n\nAll **tables** that the harbour office has computed.',
      { title: 'The tides of Bergen', description: 'All tables that the harbour office has computed.' },
    ],
    [
      'Markdown with images',
      '/docs/README.md',
      'text/plain',
      '[![ci](https://img.shields.io/a.svg)](https://ci.example) ![npm](https://badge.fury.io/a.svg)\n\n# Tides\n\n![Curve](./img/curve.png)',
      { title: 'Tides', image: expect.stringContaining('/docs/img/curve.png') },
    ],
    [
      'Markdown with an author',
      '/a.md',
      'text/markdown',
      '---\ntitle: Ebb\nauthor: Mira Solheim\ndate: 2026-01-31\n---\nText',
      { title: 'Ebb', author: 'Mira Solheim', date: '2026-01-31T00:00:00.000Z' },
    ],
    [
      'Markdown with front matter',
      '/a.md',
      'text/markdown',
      '---\ntitle: "Ebb and flow"\nsummary: Why it ebbs\n---\n# Other',
      { title: 'Ebb and flow', description: 'Why it ebbs' },
    ],
    [
      'Markdown with an underlined heading',
      '/a.md',
      'text/markdown',
      'Ebb and flow\n============\n\ntext',
      { title: 'Ebb and flow' },
    ],
    [
      'prose',
      '/notes.txt',
      'text/plain',
      'Log of the north light\n\nDay one: fog.',
      { title: 'Log of the north light' },
    ],
    [
      'a feed in KOI8-R',
      '/f',
      'text/xml',
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="koi8-r"?><rss><channel><title>'),
        Buffer.from([0xed, 0xc1, 0xd1, 0xcb]),
        Buffer.from('</title></channel></rss>'),
      ]),
      { title: 'Маяк' },
    ],
    [
      'reStructuredText',
      '/README.txt',
      'text/plain',
      'Tide tables\n===========\n\nAll ports.',
      { title: 'Tide tables' },
    ],
    [
      'a calendar',
      '/basic.ics',
      'text/calendar',
      'BEGIN:VCALENDAR\r\nX-WR-CALNAME:Chess club\r\nBEGIN:VEVENT\r\nSUMMARY:One\r\nEND:VEVENT\r\nEND:VCALENDAR',
      { title: 'Chess club' },
    ],
    [
      'an event',
      '/invite.ics',
      'application/octet-stream',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;TZID="Europe/Oslo":20260105T180000\r\nSUMMARY:Launch of\r\n  the ferry\\, at last\r\nLOCATION:Quay 3\r\nBEGIN:VALARM\r\nSUMMARY:Alarm\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR',
      { title: 'Launch of the ferry, at last', description: '2026-01-05 18:00 · Quay 3' },
    ],
    [
      'a contact',
      '/mira.vcf',
      'text/x-vcard',
      'BEGIN:VCARD\nVERSION:3.0\nN:Solheim;Mira;;;\nFN:Mira Solheim\nORG:Harbour Office;Tides\nEND:VCARD',
      { title: 'Mira Solheim', description: 'Harbour Office, Tides' },
    ],
    [
      'a notebook',
      '/raw/tides.ipynb',
      'text/plain',
      JSON.stringify({
        nbformat: 4,
        cells: [
          { cell_type: 'code', source: '# Copyright 2026\nimport tides' },
          {
            cell_type: 'markdown',
            source: ['# Tides of *Bergen*\n', '\n', 'How high the water rises in each month of a year.'],
          },
        ],
      }),
      { title: 'Tides of Bergen', description: 'How high the water rises in each month of a year.' },
    ],
    [
      'a patch',
      '/1.patch',
      'text/plain',
      'From 1a2b3c4d5e6f Mon Sep 17 00:00:00 2001\nFrom: Mira <m@a.example>\nSubject: [PATCH 1/2] Read the tide\n at noon\n\nThe clock was wrong.',
      { title: 'Read the tide at noon' },
    ],
    ['a licence', '/LICENSE', 'text/plain', 'MIT License\n\nCopyright (c) 2026', { title: 'MIT License' }],
  ])('has the title that it states: %s', async (_, path, type, body, expected) => {
    const site = await pageSite({ [path]: send(body, { 'content-type': type }) })
    const { image, ...data } = (await site.read({}, path)).data
    expect({ ...data, ...(image && { image: image.url }) }).toMatchObject(expected)
  })

  it.each([
    ['a list of rules', '/robots.txt', 'text/plain', 'User-agent: *\n\nDisallow: /'],
    ['code', '/main.py', 'text/x-python', 'import tides\n\nprint(1)'],
    ['a style sheet', '/site.css', 'text/css', 'body\n\n{ margin: 0 }'],
    ['a letter', '/letter.txt', 'text/plain', 'Dear Mira,\n\nthe tide'],
    ['a log', '/a.log', 'text/plain', 'Started at noon\n\nok'],
    ['lines of a text', '/poem.txt', 'text/plain', 'The tide rises\nthe tide falls\n\nagain'],
    ['a list of JSON', '/rows.json', 'application/json', '[{"title":"one"}]'],
    ['broken JSON', '/rows.json', 'application/json', '{"title":"one"'],
    [
      'a map of a site',
      '/sitemap.xml',
      'application/xml',
      '<urlset><url><loc>https://a.example/</loc><title>One</title></url></urlset>',
    ],
    ['a catalogue', '/books.xml', 'text/xml', '<catalog><book><title>Tides</title></book></catalog>'],
    ['a table', '/rows.csv', 'text/csv', 'a,b\n1,2'],
    ['nothing', '/empty.txt', 'text/plain', ''],
    ['an empty calendar', '/tides.ics', 'text/calendar', 'BEGIN:VCALENDAR\n\n'],
    [
      'events without a name for all',
      '/tides.ics',
      'text/calendar',
      'BEGIN:VEVENT\nSUMMARY:Ebb\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Flow\nEND:VEVENT',
    ],
    ['contacts', '/all.vcf', 'text/vcard', 'BEGIN:VCARD\nFN:Mira\nEND:VCARD\nBEGIN:VCARD\nFN:Jon\nEND:VCARD'],
    ['JSON with cells', '/grid.json', 'application/json', '{"cells":[{"cell_type":"markdown","source":"# One"}]}'],
    ['a notebook without text', '/a.ipynb', 'application/json', '{"nbformat":4,"cells":[]}'],
    ['a diff', '/a.diff', 'text/plain', 'diff --git a/x b/x\n--- a/x\n+++ b/x'],
    ['a mail', '/a.eml', 'text/plain', 'From: Mira\nSubject: The tide\n\nHi'],
  ])('keeps its name as title if it states none: %s', async (_, path, type, body) => {
    const site = await pageSite({ [path]: send(body, { 'content-type': type }) })
    const { title, description } = (await site.read({}, path)).data
    expect({ title, description }).toEqual({ title: path.slice(1), description: null })
  })

  it('is not waited for if it never ends', async () => {
    const site = await pageSite({
      '/events': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
    })
    expect((await site.read({}, '/events')).data).toMatchObject({ title: 'events' })
  })
})

describe('the document that shows a file', () => {
  const show = (kind: Parameters<typeof readTextFile>[0]['kind'], text: string) =>
    readTextFile({ kind, text }, { name: 'file', needsView: true }).view

  it.each([
    ['text', 'a < b & c', '<pre>a &lt; b &amp; c</pre>'],
    ['json', '{"a":[1,{"b":"<i>"}]}', '"b": "&lt;i&gt;"\n'],
    [
      'xml',
      '<a x="1"><b>two</b><c/></a>',
      '&lt;a x=&quot;1&quot;&gt;\n  &lt;b&gt;two&lt;/b&gt;\n  &lt;c&gt;&lt;/c&gt;\n&lt;/a&gt;',
    ],
    ['xml', RSS, '<li><b>First ship</b><br>It came at dawn.</li>'],
    ['csv', 'a;b\r\n"x;""y""";2\r\n', '<tr><td>x;&quot;y&quot;</td><td>2</td></tr>'],
    ['csv', 'a\tb, c\n1\t2', '<tr><th>a</th><th>b, c</th></tr>'],
    ['json', '{"a":', '<pre>{&quot;a&quot;:</pre>'],
    [
      'xml',
      '<?xml-stylesheet href="//www.a.example/map.xsl"?><urlset><url><loc>https://a.example/</loc></url></urlset>',
      '&lt;loc&gt;https://a.example/&lt;/loc&gt;',
    ],
    ['json', '{"nbformat":4,"cells":[{"cell_type":"code","source":["x = 1"]}]}', '<pre>    x = 1</pre>'],
    [
      'calendar',
      'BEGIN:VEVENT\nDTSTART:20260105\nSUMMARY:Ebb & flow\nEND:VEVENT',
      '<li><b>Ebb &amp; flow</b><br><small>2026-01-05</small></li>',
    ],
    ['contacts', 'BEGIN:VCARD\nFN:Mira\nORG:Tides\nEND:VCARD', '<li><b>Mira</b><br>Tides</li>'],
  ] as const)('is readable: %s %s', (kind, text, expected) => {
    expect(show(kind, text)).toContain(
      expected.replaceAll('"b"', '&quot;b&quot;').replaceAll('"&lt;i', '&quot;&lt;i').replaceAll('&gt;"', '&gt;&quot;'),
    )
  })

  it.each([
    ['XML with a style sheet', '<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><note>hi</note>'],
    ['a page', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])('is left to the browser for %s', (_, text) => {
    expect(show('xml', text)).toBe(undefined)
  })

  it.each([
    ['nested JSON', 'json', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['nested XML', 'xml', '<a>'.repeat(100_000)],
    ['a feed of many items', 'xml', `<rss><channel>${'<item><title>a</title></item>'.repeat(10_000)}</channel></rss>`],
    ['many cells', 'csv', ','.repeat(400_000)],
    ['many rows', 'csv', 'a,b\n'.repeat(100_000)],
    ['an open quote', 'csv', `"${'a'.repeat(400_000)}`],
    ['a calendar', 'calendar', 'BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n'.repeat(20_000)],
    ['open components', 'calendar', 'BEGIN:VEVENT\n'.repeat(40_000)],
    ['open quotes', 'contacts', `FN;${'"'.repeat(400_000)}:a`],
    ['long lines', 'markdown', `# ${'[a'.repeat(100_000)}`],
  ] as const)('is bounded for %s', (_, kind, text) => {
    expect(show(kind, text)!.length).toBeLessThan(1_000_000)
  })
})

it.each([
  ['application/pdf', 'x', 'pdf'],
  ['application/octet-stream', 'https://a.example/x.pdf?b', 'pdf'],
  ['application/octet-stream', 'x.zip', undefined],
  ['text/html', 'x.pdf', undefined],
  ['application/xhtml+xml', 'x.xml', undefined],
  ['image/svg+xml', 'x.svg', undefined],
  ['application/zip', 'x.pdf', undefined],
  ['application/vnd.api+json', 'x', 'json'],
  ['text/plain', 'x.csv', 'csv'],
  ['text/css', 'x.md', 'text'],
  ['application/octet-stream', 'invite.ics', 'calendar'],
  ['text/x-vcard', 'x', 'contacts'],
  ['__proto__', 'x.constructor', undefined],
])('takes a file of type %s named %s for %s', (type, name, kind) => {
  expect(fileKind(type, name)).toBe(kind)
})
