import { describe, expect, it } from 'vitest'
import { lacksMetadata } from '../../../src/server/page/index.js'
import { redirectTo } from '../../local-site.js'
import { pageSite, send } from './page-site.js'

const SHELL = '<title>App</title><body><div id="root">Loading…</div><script src="/app.js"></script>'
const RENDERED = `<html lang="en"><title>Story | App</title><meta property="og:image" content="/i.png">
  <body><h1>Story</h1><p>About</p><script src="/app.js"></script>`

describe('a page that says nothing without its scripts', () => {
  it.each([
    ['an empty root', SHELL],
    ['words for those without scripts', `${SHELL}<noscript>${'Please enable JavaScript. '.repeat(20)}</noscript>`],
    ['an icon and a viewport', `<link rel="icon" href="/i.svg"><meta name="viewport" content="width=1">${SHELL}`],
  ])('is one with %s', async (_, html) => {
    const site = await pageSite({ '/': html })
    expect(lacksMetadata(await site.read())).toBe(true)
  })

  it.each([
    ['og:title', `<meta property="og:title" content="Story">${SHELL}`],
    ['a description', `<meta name="description" content="About">${SHELL}`],
    ['an image', `${SHELL}<img src="/photo.jpg">`],
    ['a heading', `${SHELL}<h1>Story</h1>`],
    ['JSON-LD', `<script type="application/ld+json">{"@type":"Article","headline":"Story"}</script>${SHELL}`],
    ['text', `${SHELL}${'Words. '.repeat(50)}`],
    ['no scripts', '<title>App</title><p>Short'],
  ])('is none with %s', async (_, html) => {
    const site = await pageSite({ '/': html })
    expect(lacksMetadata(await site.read())).toBe(false)
  })

  it('is no file', async () => {
    const site = await pageSite({ '/film.mp4': send('film', { 'content-type': 'video/mp4' }) })
    expect(lacksMetadata(await site.read({}, '/film.mp4'))).toBe(false)
  })
})

describe('the document that the scripts made', () => {
  it('gives the metadata; all else stays that of the fetch', async () => {
    const site = await pageSite({
      '/': redirectTo('/app'),
      '/app': send(SHELL, { 'content-type': 'text/html', 'x-served-by': 'us' }, 203),
    })
    const first = await site.read()
    const rendered = await site.readRendered(RENDERED, first)
    expect(rendered).toMatchObject({
      data: {
        title: 'Story | App',
        publisher: 'App',
        lang: 'en',
        url: `${site.url}/app`,
        image: { url: `${site.url}/i.png` },
      },
      statusCode: 203,
      headers: { 'x-served-by': 'us' },
      redirects: [{ statusCode: 302, url: `${site.url}/` }],
      url: `${site.url}/app`,
      timings: { load: first.timings.load, read: expect.any(Number) },
    })
    expect(first.data).toMatchObject({ title: 'App', image: null })
    expect(lacksMetadata(rendered)).toBe(false)
  })

  it('is asked after like any other page, and gives the fields that are wanted', async () => {
    const site = await pageSite({ '/': SHELL })
    const query = { ping: true, meta: { title: true, image: true } }
    const { data } = await site.readRendered(RENDERED, await site.read(query), query)
    expect(data).toEqual({ title: 'Story | App', image: null })
    expect(site.requests).toContain('GET /i.png')
  })

  it('may turn out to be a bot check', async () => {
    const site = await pageSite({ '/': SHELL })
    const { data, warnings } = await site.readRendered('<title>Just a moment...</title>', await site.read())
    expect(data.title).toBeNull()
    expect(warnings).toHaveLength(1)
  })
})
