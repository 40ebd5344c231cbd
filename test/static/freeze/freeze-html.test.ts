import { describe, expect, it } from 'vitest'
import type { FreezeHtmlOptions, CardRequest } from '../../../src/static/freeze/index.js'
import { DATA, freeze, PREVIEW } from './freeze-test.js'
import { differsInPreviewsAlone, treeOutside } from './outside-of-cards.js'

const URL = 'https://shoreline.example/'
const PREVIEW_TAG = `<page-preview url="${URL}"></page-preview>`
const LINK = `<a href="${URL}" data-page-preview>Tides</a>`
const inPage = (body: string, head = '<head><title>A</title></head>') =>
  `<!doctype html>\n<html>${head}<body>\n${body}\n</body></html>\n`

/** Freezes a page and returns the requests of its previews too. */
async function freezeAndRecord(html: string, options: Partial<FreezeHtmlOptions> = {}) {
  const requests: CardRequest[] = []
  const frozen = await freeze(html, {
    resolve: (request) => {
      requests.push(request)
      return Promise.resolve(PREVIEW)
    },
    ...options,
  })
  return { ...frozen, requests }
}

describe('a preview', () => {
  it('is replaced by its card, and keeps its start tag', async () => {
    const tag = `<PAGE-preview  url = '${URL}'\n screenshot layout=row title="ü > ö">`
    const page = inPage(`${tag}<a href="${URL}">Tides</a></page-preview>`)
    const { html, previews, skipped, files, requests } = await freezeAndRecord(page)
    expect({ previews, skipped }).toEqual({ previews: 1, skipped: [] })
    expect(html).toContain(
      `${tag.replace('PAGE-preview', 'PAGE-preview data-frozen')}<article class="page-preview" data-layout="row"`,
    )
    expect(html).toContain(`<a class="pp-link" href="${URL}"><span class="pp-title">${DATA.title}</span>`)
    expect(html).toContain('aria-label="Tides"')
    expect(differsInPreviewsAlone(page, html)).toBe(true)
    expect(requests).toMatchObject([
      { key: `screenshot=true&url=${encodeURIComponent(URL)}`, layout: 'row', theme: 'auto' },
    ])
    expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^page-preview\.[\da-f]{16}\.css$/)])
  })

  it('replaces a link with an element that has the parameters of the link', async () => {
    const page = inPage(
      `<a id="tides" class="button" href="/a?b&amp;c" data-page-preview data-screenshot data-full-page="false" data-color-schemes="light dark" target=_blank rel="noopener" onclick="x()">Tides &amp; <b>more</b></a>`,
    )
    const { html, requests } = await freezeAndRecord(page, { baseUrl: URL })
    expect(html).toContain(
      '<page-preview data-frozen url="/a?b&amp;c" screenshot="" full-page="false" color-schemes="light dark" id="tides"><article class="page-preview" data-layout="card" data-status="ready" lang="en" aria-label="Tides &amp; more">',
    )
    expect(html).toContain(
      '<a class="pp-link" href="/a?b&amp;c" target="_blank" rel="noopener"><span class="pp-title">',
    )
    expect(requests).toMatchObject([
      { query: { url: `${URL}a?b&c`, colorScheme: 'light' }, darkQuery: { url: `${URL}a?b&c`, colorScheme: 'dark' } },
    ])
  })

  it.each(['/v1/page-preview.js', 'page-preview.js'])(
    'gets the defaults, over which the script tag with the src %s and its own attributes win',
    async (src) => {
      const page = inPage(
        `<page-preview url="${URL}" layout="image"></page-preview>${PREVIEW_TAG}<script src="${src}" data-theme="dark" data-layout="inline"></script>`,
      )
      const { requests } = await freezeAndRecord(page, {
        defaults: { layout: 'row', theme: 'light', screenshot: true },
      })
      expect(requests).toMatchObject([
        { layout: 'image', theme: 'dark', query: { screenshot: true } },
        { layout: 'inline', theme: 'dark', query: { screenshot: true } },
      ])
    },
  )

  it('is its link without a picture where nothing is known of the page', async () => {
    const { html } = await freeze(inPage(LINK), { resolve: () => Promise.resolve(undefined) })
    expect(html).toContain(`<a class="pp-link" href="${URL}"><span class="pp-title">Tides</span>`)
    expect(html).not.toContain('<img')
  })

  it.each(['p', 'h2', 'span', 'li><strong'])('does not end a <%s> around it', async (parent) => {
    const page = inPage(`<${parent}>Before ${PREVIEW_TAG} and ${LINK} after`)
    const { html, previews } = await freeze(page)
    expect(previews).toBe(2)
    expect(
      treeOutside(html.replaceAll(/<page-preview data-frozen url[^>]*>[^]*?<\/page-preview>/g, PREVIEW_TAG)),
    ).toEqual(treeOutside(page))
    expect(html).not.toMatch(/<(article|div|figure)/)
  })

  it('refers to the folder of assets by the URL that is given', async () => {
    const { html } = await freeze(inPage(PREVIEW_TAG), { assets: '../../page-preview/' })
    expect(html).toMatch(
      /<link rel="stylesheet" href="\.\.\/\.\.\/page-preview\/page-preview\.[\da-f]{16}\.css" data-frozen><\/head>/,
    )
    expect(html).toContain('src="../../page-preview/fedcba9876543210.640.jpg"')
  })
})

describe('a second run', () => {
  const layouts = ['card', 'row', 'image', 'inline']
  const elements = layouts.map(
    (layout) =>
      `<page-preview url="${URL}${layout}" layout="${layout}"><a href="${URL}">The &lt;link&gt; ${layout}</a></page-preview>`,
  )
  const links = layouts.map(
    (layout) => `<p>In <a href="/${layout}" data-page-preview data-layout="${layout}" rel="me">${layout}</a></p>`,
  )
  const plain = `<p><a href="${URL}plain">Plain</a></p><footer><a href="${URL}hover">Hover</a> <a href="${URL}own" data-page-preview=hover>Own</a></footer>`
  const inner = `<page-preview><a href="${URL}inner" data-page-preview data-layout="row" target="_top">Inner</a></page-preview>`
  const options = { auto: 'p > a:only-child', hover: 'footer a', baseUrl: URL }

  it.each([
    ['a page', inPage([...elements, ...links, plain, inner].join('\n'))],
    ['a fragment', [...elements, ...links, plain, inner].join('\n')],
  ])('gives the same %s, and asks for the same', async (_, page) => {
    for (const resolve of [
      () => Promise.resolve(PREVIEW),
      () => Promise.resolve({ ...PREVIEW, data: {}, isStale: true }),
    ]) {
      const first = await freezeAndRecord(page, options)
      const second = await freezeAndRecord(first.html, options)
      expect(second.html).toBe(first.html)
      expect(second.requests).toEqual(first.requests)
      expect(second.previews).toBe(12)
      expect(second.needsScript).toBe(true)
      const { html } = await freeze(page, { ...options, resolve })
      expect((await freeze(html, { ...options, resolve })).html).toBe(html)
    }
  })

  it('gives the same page where nothing is known of its links', async () => {
    const page = inPage([...elements, ...links, inner].join('\n'))
    const unknown = { baseUrl: URL, resolve: () => Promise.resolve(undefined) }
    const { html } = await freeze(page, unknown)
    expect((await freeze(html, unknown)).html).toBe(html)
    expect(html.match(/<span class="pp-title">/g)).toHaveLength(7)
  })

  it('replaces the stylesheet where it is written into the page now', async () => {
    const { html } = await freeze(inPage(PREVIEW_TAG))
    const inline = await freeze(html, { inlineStyles: true })
    expect(inline.html).not.toContain('<link')
    expect(inline.html).toMatch(/<style data-frozen>[^]+<\/style><\/head>/)
    expect(inline.files).toEqual([])
    expect((await freeze(inline.html)).html).toBe(html)
    const [styles = ''] = /<style[^]+<\/style>/.exec(inline.html) ?? []
    // A page may have any encoding.
    expect(Buffer.byteLength(styles)).toBe(styles.length)
  })
})

describe('the stylesheet', () => {
  it('is linked once, before the end of the head', async () => {
    const { html } = await freeze(inPage(PREVIEW_TAG + LINK))
    expect(html.match(/<link/g)).toHaveLength(1)
    expect(html).toContain('data-frozen></head>')
  })

  it('stands before the first card in a page without tags of a head', async () => {
    for (const page of [inPage(PREVIEW_TAG, ''), `<h1>Tides</h1>${PREVIEW_TAG}`, `text ${LINK}`])
      expect((await freeze(page)).html).toMatch(/<link rel="stylesheet"[^>]* data-frozen><page-preview data-frozen/)
  })

  it('is not added to a page without previews', async () => {
    const page = inPage('<a href="/">Home</a>')
    expect(await freeze(page)).toEqual({
      html: page,
      previews: 0,
      cards: [],
      skipped: [],
      warnings: [],
      needsScript: false,
      files: [],
    })
  })
})

describe('a preview is left as it is', () => {
  it.each([
    ['a comment', '<!-- * -->'],
    ['a template', '<template><p>*</p></template>'],
    ['<pre>', '<pre>*</pre>'],
    ['<code>', '<p><code>*</code></p>'],
    ['<textarea>', '<textarea>*</textarea>'],
    ['<script>', '<script>"*"</script>'],
    ['<style>', '<style>*</style>'],
    ['<noscript>', '<noscript>*</noscript>'],
    ['<svg>', '<svg><foreignObject>*</foreignObject></svg>'],
    ['an attribute', "<p title='*'></p>"],
  ])('in %s', async (_, around) => {
    for (const preview of [PREVIEW_TAG, LINK]) {
      const page = inPage(around.replace('*', preview))
      expect(await freeze(page, { auto: 'a', hover: 'a' })).toMatchObject({ html: page, previews: 0, skipped: [] })
    }
  })

  it('where the link opts out, or is already in a preview', async () => {
    const page = inPage(
      `<a href="${URL}" data-page-preview="false">No</a> <a href="#here">Here</a> <a href="mailto:a@b.example">Mail</a>`,
    )
    expect(await freeze(page, { auto: 'a', hover: 'a' })).toMatchObject({ html: page, skipped: [] })
    const { previews } = await freeze(inPage(`<page-preview>${LINK}</page-preview>`), { auto: 'a' })
    expect(previews).toBe(1)
  })

  it.each(['auto', 'hover'])('have data attributes of their own, which are no parameters, with %s', async (option) => {
    const page =
      '<main><a href="https://shoreline.example/a" data-type="external" data-click="cta-1" data-layout="row">A</a></main>'
    const queries: unknown[] = []
    const resolve: FreezeHtmlOptions['resolve'] = ({ query }) => {
      queries.push(query)
      return Promise.resolve(PREVIEW)
    }
    const options = { [option]: 'a', resolve }
    const { html, skipped } = await freeze(page, options)
    expect(skipped).toEqual([])
    expect((await freeze(html, options)).html).toBe(html)
    expect(html).not.toContain(' click=')
    expect(queries).toEqual([queries[0], queries[0]])
    expect(queries[0]).not.toHaveProperty('click')
    if (option === 'auto')
      expect(html).toContain('<page-preview data-frozen url="https://shoreline.example/a" layout="row">')
  })

  it.each([
    ['without an end tag', `<page-preview url="${URL}"><p>The rest of the page</p>`, /no end tag/],
    ['that closes itself', `<div><page-preview url="${URL}" /></div>`, /no end tag/],
    ['that overlaps with another element', `<page-preview url="${URL}"><b>bold</page-preview> text</b>`, /overlap/],
    ['with a link that is not closed', `<page-preview url="${URL}"><a href="/">A</page-preview> text`, /overlap/],
    ['after a link that is not closed', `<a href="/">One ${LINK}`, /link before the preview has no end tag/],
    ['in a link', `<a href="/"><div>${PREVIEW_TAG}</div></a>`, /in a link/],
    ['without a URL', '<page-preview></page-preview>', /no URL/],
    ['with a relative URL', '<page-preview url="/about"></page-preview>', /relative/],
    ['with an invalid parameter', `<page-preview url="${URL}" ttl="soon"></page-preview>`, /ttl/],
    ['of another scheme', '<page-preview url="ftp://a.example/"></page-preview>', /^url must [^.]+\.$/],
  ])('%s, with its place and the reason', async (_, body, reason) => {
    const page = inPage(body)
    const { html, skipped, previews } = await freeze(page)
    expect(html).toBe(page)
    expect(previews).toBe(0)
    expect(skipped).toEqual([
      { line: 3, column: expect.any(Number) as number, reason: expect.stringMatching(reason) as string },
    ])
  })

  it('while the others of its page are frozen', async () => {
    const page = inPage(`${PREVIEW_TAG}\n<page-preview></page-preview>`)
    expect(await freeze(page)).toMatchObject({ previews: 1, skipped: [{ line: 4, column: 1 }] })
  })
})

it.each([
  ['CRLF', inPage(PREVIEW_TAG).replaceAll('\n', '\r\n')],
  ['CR alone', inPage(PREVIEW_TAG).replaceAll('\n', '\r')],
  ['NUL', inPage(`a\0b ${PREVIEW_TAG} \0`)],
  ['unclosed elements', `<p>one<p>two<ul><li>${PREVIEW_TAG}<li>${LINK}`],
  ['misnested elements', `<b>one<i>two</b>three</i>${PREVIEW_TAG}<table><b>four<tr><td>${LINK}`],
  ['no body', `<title>A</title>${PREVIEW_TAG}`],
  ['a second head and body', inPage(`<head></head><body class="b">${PREVIEW_TAG}`)],
  [
    'duplicate attributes',
    inPage(`<page-preview url="${URL}" url="https://other.example/" layout=row LAYOUT=card></page-preview>`),
  ],
  ['attributes without quotes', inPage(`<page-preview url=${URL} layout=row/></page-preview>`)],
  ['end tags with attributes', inPage(`<page-preview url="${URL}">A</page-preview class="x" >`)],
  ['astral characters', inPage(`😀 ${PREVIEW_TAG} 😀`)],
])('changes nothing but previews in a page with %s', async (_, page) => {
  const { html, previews } = await freeze(page)
  expect(previews).toBeGreaterThan(0)
  expect(differsInPreviewsAlone(page, html)).toBe(true)
  expect(treeOutside(html)).toEqual(treeOutside(page))
  expect((await freeze(html)).html).toBe(html)
})

describe('links that a selector finds', () => {
  it('become cards, or get hover previews', async () => {
    const page = inPage(`<main><p><a href="${URL}a">A</a></p><p>See <a href="${URL}b">B</a>.</p></main>`)
    const { html, previews, files, needsScript, requests } = await freezeAndRecord(page, {
      auto: 'main p > a[href^=http]:only-child',
      hover: 'main a',
    })
    expect({ previews, needsScript }).toEqual({ previews: 2, needsScript: true })
    expect(requests.map(({ query }) => query.url)).toEqual([`${URL}a`, `${URL}b`])
    const data = files.find(({ name }) => name.endsWith('.json'))!
    expect(html).toContain(`<a data-frozen="/page-preview/${data.name}" data-page-preview="hover" href="${URL}b">B</a>`)
    expect(html).toContain('<script async src="/page-preview/page-preview.js" data-frozen></script>')
    expect(JSON.parse(data.text)).toEqual({
      title: DATA.title,
      description: DATA.description,
      lang: 'en',
      image: null,
      logo: { ...DATA.logo, url: '00112233445566aa.64.png' },
      screenshot: { ...DATA.screenshot, url: '0123456789abcdef.640.webp' },
    })
  })

  it('need no second script in a page that has one', async () => {
    const page = inPage(`<a href="${URL}">A</a><script async src="https://service.example/page-preview.js"></script>`)
    const { html, needsScript } = await freeze(page, { hover: 'a' })
    expect(needsScript).toBe(false)
    expect(html.match(/<script/g)).toHaveLength(1)
  })

  it('have no hover preview where nothing is known of the page', async () => {
    const page = inPage(`<a href="${URL}">A</a>`)
    expect(await freeze(page, { hover: 'a', resolve: () => Promise.resolve(undefined) })).toMatchObject({
      html: page,
      previews: 0,
    })
  })

  it('cannot be found by an invalid selector', async () => {
    await expect(freeze(inPage(LINK), { auto: 'a[' })).rejects.toMatchObject({
      code: 'EINVALQUERY',
      data: { auto: expect.any(String) as string },
    })
  })
})

it('reads relative links by the base URL of the page', async () => {
  const body = `<page-preview url="about"></page-preview><a href="../b" data-page-preview>B</a>`
  const options = { baseUrl: 'https://site.example/docs/page/' }
  const { requests, html } = await freezeAndRecord(inPage(body), options)
  expect(requests.map(({ query }) => query.url)).toEqual([
    'https://site.example/docs/page/about',
    'https://site.example/docs/b',
  ])
  expect(html).toContain('<a class="pp-link" href="../b">')
  const based = await freezeAndRecord(inPage(body, '<head><base href="/other/"></head>'), options)
  expect(based.requests.map(({ query }) => query.url)).toEqual([
    'https://site.example/other/about',
    'https://site.example/b',
  ])
})
