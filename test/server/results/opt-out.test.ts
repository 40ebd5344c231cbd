// Covers pages that want no preview, or no screenshot: what they say in robots.txt, in their document and in headers.
import { describe, expect, it } from 'vitest'
import { redirectTo, type Route } from '../../local-site.js'
import { send } from '../page/page-site.js'
import { startApp } from './start-app.js'

const CONTENT = '<meta property="og:description" content="About"><meta property="og:image" content="/i.png">'
const PAGE = `<title>Page</title>${CONTENT}<link rel="icon" href="/icon.png"><h1>Page</h1>`
const tag = (content: string, name = 'page-preview') => `${PAGE}<meta name="${name}" content="${content}">`
const DISALLOW = 'User-agent: PagePreviewbot\nDisallow: /'
const screenshot = { screenshot: 'true' }

const unwanted: [name: string, routes: Record<string, Route>][] = [
  ['its robots.txt', { '/': PAGE, '/robots.txt': DISALLOW }],
  ['a meta element', { '/': tag('none') }],
  ['a meta element in capitals', { '/': tag('None', 'Page-Preview') }],
  ['a meta element with more words', { '/': tag('noscreenshot, none') }],
  ['a header', { '/': send(PAGE, { 'content-type': 'text/html', 'x-page-preview': 'none' }) }],
  ['the header of a file', { '/': send('text', { 'content-type': 'text/plain', 'x-page-preview': 'none' }) }],
  ['the page that it redirects to', { '/': redirectTo('/next'), '/next': tag('none') }],
  ['the robots.txt for a redirect', { '/': redirectTo('/next'), '/next': PAGE, '/robots.txt': `${DISALLOW}next` }],
]

describe('a page that wants no preview', () => {
  it.each(unwanted)('because of %s has its URL alone', async (_, routes) => {
    const { site, readPage } = await startApp({ routes })
    for (const parameters of [{}, screenshot]) {
      const { data, warnings } = await readPage(parameters)
      expect(data).toEqual({
        ...Object.fromEntries(
          ['title', 'description', 'lang', 'author', 'publisher', 'date', 'image', 'logo', 'audio', 'video'].map(
            (name) => [name, null],
          ),
        ),
        ...(parameters === screenshot && { screenshot: null }),
        url: `${site.url}/`,
        state: 'opted-out',
      })
      expect(warnings).toEqual([
        expect.stringMatching(/robots\.txt of .+ excludes|does not want a preview, as/),
        expect.stringContaining('does not want a preview, so'),
      ])
    }
    // A page is read while its robots.txt is still on its way.
    if (routes['/robots.txt'] === undefined)
      expect(site.requests.filter((request) => /icon|i\.png/.test(request))).toEqual([])
  })

  it.each([
    ['its document', { html: `${tag('none')}<p>More text.</p>` }],
    ['what the browser sees of it', { optOut: 'none' as const }],
  ])('only after its scripts have run has its URL alone, by %s', async (_, seen) => {
    const app = await startApp({ routes: { '/': `${PAGE}<script src="/app.js"></script>` } })
    Object.assign(app.seen, seen)
    expect((await app.readPage(screenshot)).data).toMatchObject({ title: null, state: 'opted-out', screenshot: null })
  })

  it('is not visited once its robots.txt is known', async () => {
    const { site, visits, readPage } = await startApp({ routes: { '/': PAGE, '/robots.txt': DISALLOW } })
    await readPage()
    const before = [...site.requests]
    expect(await readPage(screenshot, '/?other')).toMatchObject({ statusCode: 0, data: { state: 'opted-out' } })
    expect(site.requests).toEqual(before)
    expect(visits).toEqual([])
  })

  it('takes the place of the result from before', async () => {
    const app = await startApp({ routes: { '/': PAGE } })
    expect((await app.readPage({ staleTtl: '0' })).data.title).toBe('Page')
    app.site.routes['/'] = tag('none')
    await app.readPage({ staleTtl: '0' })
    await expect.poll(async () => (await app.readPage()).data).toMatchObject({ title: null, state: 'opted-out' })
  })

  it('is read again after ten minutes', async () => {
    const app = await startApp({ routes: { '/': tag('none') } })
    expect(await app.readPage()).toMatchObject({ cache: 'MISS', ttl: 600_000 })
    app.site.routes['/'] = PAGE
    expect(await app.readPage()).toMatchObject({ cache: 'HIT', data: { title: null } })
    app.time.now += 600_000
    expect(await app.readPage()).toMatchObject({ cache: 'MISS', data: { title: 'Page' } })
  })

  it('has an error in place of an embedded image', async () => {
    const { readPage } = await startApp({ routes: { '/': tag('none') } })
    expect(await readPage({ ...screenshot, embed: 'screenshot' })).toMatchObject({
      code: 'ENOEMBED',
      message: expect.stringContaining('does not want a preview'),
    })
  })

  it('has no data if no metadata is requested', async () => {
    const { readPage } = await startApp({ routes: { '/': tag('none') } })
    expect((await readPage({ ...screenshot, meta: 'false' })).data).toEqual({ state: 'opted-out', screenshot: null })
  })

  it('says nothing of its content, whatever is requested', async () => {
    const { readPage } = await startApp({ routes: { '/': tag('none') } })
    for (const name of ['explain', 'candidates']) {
      const response = await readPage({ [name]: 'true' })
      expect(response).toMatchObject({ status: 'success', data: { state: 'opted-out' } })
      expect(JSON.stringify(response)).not.toMatch(/About|>Page<|"Page"/)
    }
  })

  it('is counted', async () => {
    const { readPage, lines } = await startApp({ routes: { '/': tag('none') } })
    await readPage()
    expect(lines).toContainEqual(expect.objectContaining({ event: 'page-without-content', state: 'opted-out' }))
  })
})

describe('a page that wants no screenshot', () => {
  it.each<[string, Route]>([
    ['a meta element', tag('noscreenshot')],
    ['a header', send(PAGE, { 'content-type': 'text/html', 'x-page-preview': 'noscreenshot' })],
  ])('because of %s has its metadata', async (_, route) => {
    const { readPage } = await startApp({ routes: { '/': route } })
    const { data, warnings } = await readPage({ ...screenshot, ping: 'false' })
    expect(data).toMatchObject({ title: 'Page', description: 'About', image: {}, screenshot: null })
    expect(data.state).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('does not want a screenshot')])
    expect((await readPage({ ping: 'false' })).warnings).toBeUndefined()
  })

  it('is captured by nobody, also if only the browser sees it', async () => {
    const app = await startApp({ routes: { '/': PAGE } })
    app.seen.optOut = 'noscreenshot'
    expect((await app.readPage(screenshot)).data.screenshot).toBeNull()
  })
})

it.each([
  ['robots.txt for crawlers', { '/': PAGE, '/robots.txt': 'User-agent: *\nDisallow: /' }],
  ['another word', { '/': tag('noindex') }],
  ['another name', { '/': tag('none', 'robots') }],
  ['an element that is no element', { '/': `${PAGE}<!-- <meta name="page-preview" content="none"> -->` }],
])('a page with %s has a preview', async (_, routes) => {
  const { readPage } = await startApp({ routes })
  expect((await readPage(screenshot)).data).toMatchObject({ title: 'Page', screenshot: { width: 80 } })
})

it.each(unwanted)('an operator may ignore %s', async (_, routes) => {
  const app = await startApp({ routes, ignoreOptOut: true })
  app.seen.optOut = 'none'
  const { data } = await app.readPage(screenshot)
  expect(data.state).toBeUndefined()
  expect(data).toMatchObject({ title: expect.any(String), screenshot: { width: 80 } })
})

it('pages of a host with a crawl-delay wait for each other, or for a later request', async () => {
  const robots = 'User-agent: PagePreviewbot\nCrawl-delay: 10'
  const { site, time, readPage } = await startApp({ routes: { '/': PAGE, '/robots.txt': robots } })
  expect((await readPage()).data.title).toBe('Page')
  expect(await readPage({ timeout: '5s' }, '/?2')).toMatchObject({ code: 'EBUSY' })
  time.now += 10_000
  expect((await readPage({ timeout: '5s' }, '/?2')).data.title).toBe('Page')
  expect(site.requests.filter((request) => request === 'GET /robots.txt')).toHaveLength(1)
})
