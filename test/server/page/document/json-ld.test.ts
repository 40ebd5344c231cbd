// Covers JSON-LD as publishing systems and people write it.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { readSloppyJson } from '../../../../src/server/page/document/sloppy-json.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { expectTimeRatio } from '../../../shared/time-ratio.js'
import { jsonLd } from '../declarations.js'

const PAGE_URL = 'https://courier.example/news/rain'
const candidates = (...scripts: string[]) =>
  findCandidates(
    parseHtml(scripts.map((text) => `<script type="application/ld+json">${text}</script>`).join('\n'), PAGE_URL),
  )
const AUTHOR = '"author":{"@type":"Person","name":"Mira Solheim"}'
const ARTICLE = `{"@context":"https://schema.org","@type":"NewsArticle","headline":"Rain is coming",${AUTHOR}}`

describe('JSON-LD is read', () => {
  it.each<[what: string, script: string]>([
    ['in a CDATA section', `<![CDATA[${ARTICLE}]]>`],
    ['in a CDATA section in line comments', `\n// <![CDATA[\n${ARTICLE};\n// ]]&gt;\n`],
    ['in a CDATA section in line comments without spaces', `\n//<![CDATA[\n${ARTICLE}\n//]]>\n`],
    ['in a CDATA section in block comments', `/*<![CDATA[*/${ARTICLE}/*]]>*/`],
    ['in the marks of Drupal', `<!--//--><![CDATA[// ><!--\n${ARTICLE}\n//--><!]]>`],
    ['in escaped marks', `&lt;![CDATA[ ${ARTICLE} ]]&gt;`],
    ['in CDATA on a single line', `// <![CDATA[ ${ARTICLE} // ]]>`],
    ['in an HTML comment', `<!-- ${ARTICLE} -->`],
    ['behind a block comment with brackets', `/* {meta} */ ${ARTICLE}`],
    ['behind a line comment with brackets', `// {"@type":"Article","headline":"Old"}\n${ARTICLE}`],
    ['behind a comment that takes the whole line', `// generated ${ARTICLE}`],
    ['with a semicolon behind it', `${ARTICLE};`],
    ['with a comma behind it', `${ARTICLE},`],
    ['assigned to a variable', `window.jsonLd = ${ARTICLE};`],
    ['behind a byte order mark', `\uFEFF${ARTICLE}`],
    ['with trailing commas', `{"@type":"Article","headline":"Rain is coming",${AUTHOR},}`],
    ['with two commas', `{"@type":"Article",,"headline":"Rain is coming",, ${AUTHOR}}`],
    ['with a trailing comma in a list', `[{"@type":"Article","headline":"Rain is coming",${AUTHOR}},]`],
    ['without a comma between lines', `{"@type":"Article"\n"headline":"Rain is coming"\n${AUTHOR}}`],
    [
      'with comments between properties',
      `{"@type":"Article", // kind\n "headline":"Rain is coming", /* by */ ${AUTHOR}}`,
    ],
    ['with a comment behind a value', `{"@type":"Article","headline":"Rain is coming" // draft\n,${AUTHOR}}`],
    ['with a line break in a string', `{"@type":"Article","headline":"Rain\n is coming",${AUTHOR}}`],
    ['with a control character in a string', `{"@type":"Article","headline":"Rain\u0000 is\u001f\tcoming",${AUTHOR}}`],
    ['with escaped apostrophes', `{"@type":"Article","headline":"Rain is coming","abstract":"It\\'s wet",${AUTHOR}}`],
    ['with single quotes', `{'@type':'Article','headline':'Rain is coming','author':{'name':'Mira Solheim'}}`],
    ['with bare names', `{"@type":"Article",headline:"Rain is coming",author:{name:"Mira Solheim"}}`],
    ['with typographic quotes', `{“@type”:“Article”,“headline”:“Rain is coming”,“author”:{“name”:“Mira Solheim”}}`],
    ['with escaped quotes', ARTICLE.replaceAll('"', '&quot;')],
    ['with escaped quotes in numbers', ARTICLE.replaceAll('"', '&#34;')],
    ['with quotes escaped as in a string', ARTICLE.replaceAll('"', '\\"')],
    ['as a string that contains JSON', JSON.stringify(ARTICLE)],
    ['without its last bracket', ARTICLE.slice(0, -1)],
    ['with a bracket too many', `${ARTICLE}}`],
    ['beside a template', `{"@type":"Article","dateModified":{{ page.date }},"headline":"Rain is coming",${AUTHOR}}`],
    [
      'beside a value of a script',
      `{"@type":"Article","dateModified":undefined,"headline":"Rain is coming",${AUTHOR}}`,
    ],
    ['beside a number with a comma', `{"@type":"Article","price":12,50,"headline":"Rain is coming",${AUTHOR}}`],
    ['beside a string without an end', `{"@type":"Article","abstract":"Wet,\n"headline":"Rain is coming",\n${AUTHOR}}`],
    ['behind another value', `{"@type":"WebSite","name":"Courier"}${ARTICLE}`],
    ['behind another value and a comma', `{"@type":"WebSite","name":"Courier"},\n${ARTICLE}`],
    ['in front of a broken value', `${ARTICLE}\n{"@type":`],
    ['in lists in lists', `[[{"@type":"WebSite"}],[${ARTICLE}]]`],
    ['in a graph', `{"@context":"https://schema.org","@graph":[${ARTICLE}]}`],
    ['in a graph that is no list', `{"@context":"https://schema.org","@graph":${ARTICLE}}`],
  ])('%s', (_, script) =>
    expect(candidates(script)).toMatchObject({ title: ['Rain is coming'], author: ['Mira Solheim'] }),
  )
})

describe('an author is found', () => {
  const article = (author: string, more = '') => `{"@type":"Article","headline":"Rain",${more}"author":${author}}`
  it.each<[what: string, script: string, author: string]>([
    ['whose name is a person', article('{"name":{"@type":"Person","name":"Mira Solheim"}}'), 'Mira Solheim'],
    [
      'whose name is a person in parts',
      article('{"name":{"givenName":"Mira","familyName":"Solheim"}}'),
      'Mira Solheim',
    ],
    ['whose name is a list', article('{"name":["Mira Solheim"]}'), 'Mira Solheim'],
    ['with several names', article('{"@type":"Person","name":["Mira Solheim","Bo Roe"]}'), 'Mira Solheim & Bo Roe'],
    ['as strings in a list', article('["Mira Solheim","Bo Roe"]'), 'Mira Solheim & Bo Roe'],
    ['as a string', article('"Mira Solheim"'), 'Mira Solheim'],
    ['as a literal', article('{"@value":"Mira Solheim"}'), 'Mira Solheim'],
    ['with a literal name', article('{"name":{"@value":"Mira Solheim","@language":"no"}}'), 'Mira Solheim'],
    ['in a list of the vocabulary', article('{"@list":[{"name":"Mira Solheim"}]}'), 'Mira Solheim'],
    ['in lists in lists', article('[[{"name":"Mira Solheim"}]]'), 'Mira Solheim'],
    ['in parts', article('{"givenName":"Mira","familyName":"Solheim"}'), 'Mira Solheim'],
    ['with capitals in property names', '{"@type":"Article","Author":{"Name":"Mira Solheim"}}', 'Mira Solheim'],
    [
      'with the vocabulary in property names',
      '{"@type":"http://schema.org/Article","http://schema.org/author":[{"http://schema.org/name":[{"@value":"Mira Solheim"}]}]}',
      'Mira Solheim',
    ],
    [
      'with a prefix in names',
      '{"@type":"schema:Article","schema:author":{"schema:name":"Mira Solheim"}}',
      'Mira Solheim',
    ],
    [
      'by a reference in the graph',
      '{"@graph":[{"@type":"Article","author":{"@id":"#mira"}},{"@type":"Person","@id":"#mira","name":"Mira Solheim"}]}',
      'Mira Solheim',
    ],
    [
      'by a reference to a part of another node',
      '{"@graph":[{"@type":"Article","author":{"@id":"#mira"}},{"@type":"WebPage","about":{"author":{"@id":"#mira","@type":"Person","name":"Mira Solheim"}}}]}',
      'Mira Solheim',
    ],
    [
      'by a reference that stands in the graph too',
      '{"@graph":[{"@type":"Person","@id":"#mira","name":"Mira Solheim"},{"@type":"Article","author":[{"@id":"#mira"}]},{"@type":"Person","@id":"#mira"}]}',
      'Mira Solheim',
    ],
  ])('%s', (_, script, author) => expect(candidates(script).author[0]).toBe(author))

  it('by a reference into another script', () => {
    const person = '{"@type":"Person","@id":"#mira","name":"Mira Solheim"}'
    expect(candidates(article('{"@id":"#mira"}'), person).author[0]).toBe('Mira Solheim')
  })
})

describe('a page', () => {
  const image = (script: object, html = '') => {
    const page = `<h1>Rain</h1>${jsonLd(script)}${html}`
    return findCandidates(parseHtml(page, PAGE_URL)).image[0]?.replace('https://courier.example', '')
  }
  const primary = { '@type': 'ImageObject', '@id': '#primary', contentUrl: '/a.jpg' }
  const mira = { '@type': 'Person', name: 'Mira Solheim', image: '/a.jpg', description: 'She mends clocks.' }

  it.each<[what: string, script: object]>([
    ['as a string', { '@type': 'WebPage', image: '/a.jpg' }],
    ['as an object', { '@type': 'WebPage', image: { '@type': 'ImageObject', url: '/a.jpg' } }],
    ['in a list', { '@type': ['WebPage', 'AboutPage'], image: [{ url: '/a.jpg' }, { url: '/b.jpg' }] }],
    ['by a reference', { '@graph': [{ '@type': 'WebPage', primaryImageOfPage: { '@id': '#primary' } }, primary] }],
    ['as a thumbnail', { '@type': 'CollectionPage', thumbnailUrl: '/a.jpg', primaryImageOfPage: { '@id': '#none' } }],
    ['of the person it is about', { '@type': 'ProfilePage', mainEntity: mira }],
    ['of the place it is about', { '@type': 'WebPage', mainEntity: { '@type': 'Museum', image: { url: '/a.jpg' } } }],
  ])('states its image %s', (_, script) => {
    expect(image(script)).toBe('/a.jpg')
    expect(image(script, '<article><img src="/c.jpg"></article>')).toBe('/a.jpg')
    expect(image(script, '<meta property="og:image" content="/og.jpg">')).toBe('/og.jpg')
  })

  it.each<[what: string, script: object]>([
    ['its site', { '@type': 'WebSite', image: '/a.jpg', thumbnailUrl: '/a.jpg' }],
    ['its organisation', { '@type': 'Organization', image: '/a.jpg' }],
    ['its author', { '@type': 'WebPage', author: mira }],
    ['a list', { '@type': 'CollectionPage', mainEntity: { '@type': 'ItemList', itemListElement: [{ item: mira }] } }],
  ])('has no image of %s', (_, script) => expect(image(script)).toBeUndefined())

  it('has the description of the person it is about', () => {
    const profile = { '@type': 'ProfilePage', mainEntity: mira }
    expect(candidates(JSON.stringify(profile)).description[0]).toBe('She mends clocks.')
    const described = JSON.stringify({ ...profile, description: 'All about Mira.' })
    expect(candidates(described).description[0]).toBe('All about Mira.')
  })
})

describe('a value that repeats the headline', () => {
  const article = (headline: string, names: object) =>
    JSON.stringify({ '@type': 'NewsArticle', headline, ...names }).replaceAll('"name":"', '"@type":"Person","name":"')
  const find = (html: string, url = PAGE_URL) => findCandidates(parseHtml(html, url))
  const script = (json: string) => `<script type="application/ld+json">${json}</script>`

  it('is not the publisher', () => {
    const html = script(article('Rain is coming', { publisher: { name: 'Rain is coming' } }))
    expect(find(html)).toMatchObject({ publisher: [], title: ['Rain is coming'] })
    const withSite = `<title>Rain is coming | The Courier</title><h1>Rain is coming</h1>${html}`
    expect(find(withSite)).toMatchObject({ publisher: ['The Courier'] })
    expect(find(withSite).title[0]).toBe('Rain is coming')
  })

  it('is not the author', () => {
    const html = script(article('Rain Comes To Town', { author: { name: 'Rain comes to town' } }))
    expect(find(`<h1>Rain comes to town</h1>${html}`).author).toEqual([])
  })

  it('is not the publisher in other metadata', () => {
    const html = '<title>Rain comes to town</title><meta name="publisher" content="Rain comes to town">'
    expect(find(html).publisher).toEqual([])
  })

  it('is the author of a page about that person', () => {
    const html = `<h1>Mira Solheim</h1>${script(article('Mira Solheim', { author: { name: 'Mira Solheim' } }))}`
    expect(find(html).author).toEqual(['Mira Solheim'])
  })

  it('is the publisher if the page or its host has this name', () => {
    const json = script(article('The Courier', { publisher: { name: 'The Courier' } }))
    expect(find(json, 'https://the-courier.example/about').publisher[0]).toBe('The Courier')
    expect(find(`<meta property="og:site_name" content="The Courier">${json}`).publisher[0]).toBe('The Courier')
    expect(find(json, 'https://other.example/').publisher[0]).toBe('The Courier')
  })
})

describe('quotes within a string', () => {
  it.each([
    ['The keeper said "yes" before the vote'],
    ['"Yes" is what the keeper said'],
    ['The keeper said "yes"'],
    ['He said "yes", "no" and left'],
    ['The "tide" and the "gauge"; both "rose"'],
    ['A 5" pipe'],
  ])('are part of it: %s', (description) => {
    const script = `{"@type":"Article","description":"${description}",\n ${AUTHOR}}`
    expect(candidates(script)).toMatchObject({ description: [description], author: ['Mira Solheim'] })
    expect(candidates(`{"@type":"Article",${AUTHOR},"description":"${description}"}`).description[0]).toBe(description)
  })

  it.each([
    '[He said "yes"',
    'One, {two} and [three]',
    'a: b',
    '// no comment',
    '/* none */',
    'C:\\\\temp',
    'x <!-- y',
  ])('and brackets and other marks of valid JSON stay: %s', (text) => {
    const script = JSON.stringify({ '@type': 'Article', headline: 'Rain', articleSection: text })
    expect(readSloppyJson(script)).toEqual([{ '@type': 'Article', headline: 'Rain', articleSection: text }])
    // The same by the sloppy reader.
    expect(readSloppyJson(`${script};`)).toEqual([{ '@type': 'Article', headline: 'Rain', articleSection: text }])
  })
})

it('reads what the standard parser reads, in the same way', () => {
  const value = { a: [1, -2.5e3, true, false, null, 'x', []], 'b c': { d: '"\\/\b\f\n\r\té😀' }, e: {}, '': '' }
  expect(readSloppyJson(`${JSON.stringify(value)};`)).toEqual([value])
  expect(readSloppyJson(`${JSON.stringify(value, undefined, 2)};`)).toEqual([value])
})

it('finds nothing in a script without objects', () => {
  for (const text of [
    '',
    '   ',
    'undefined',
    '"text"',
    '12',
    '<!-- none -->',
    '// none',
    '[',
    '{',
    '[if lt IE 9]',
    '/*',
  ])
    expect(candidates(text).title).toEqual([])
})

it('sets no property of all objects', () => {
  const [value] = readSloppyJson('{"__proto__":{"polluted":true},"constructor":1};') as Record<string, unknown>[]
  expect(Object.keys(value!)).toEqual(['__proto__', 'constructor'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

it.each([
  '{',
  '[',
  '"',
  '{"',
  '\\',
  '/*',
  '//',
  '"k": ',
  '",\n"k":',
  '{{',
  '[[',
  '"/*',
  "'",
  '&quot;',
  '“',
  '{"a":"b "',
])('reads many of %j in linear time', (part) => {
  const read = (chars: number) => () => readSloppyJson(`{"a":"${part.repeat(chars / part.length)}`)
  expectTimeRatio(read(80_000), read(10_000), 40)
})
