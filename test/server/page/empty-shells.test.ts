// Covers HTML that its scripts fill.
import { describe, expect, it } from 'vitest'
import { pageSite, send } from './page-site.js'

const SHELL = '<title>App</title><body><div id="root">Loading…</div><script src="/app.js"></script>'

describe('an empty page shell that its scripts fill', () => {
  it.each([
    ['an empty root', SHELL],
    [
      'a message for browsers without scripts',
      `${SHELL}<noscript>${'Please enable JavaScript. '.repeat(20)}</noscript>`,
    ],
    ['an icon and a viewport', `<link rel="icon" href="/i.svg"><meta name="viewport" content="width=1">${SHELL}`],
  ])('is recognised by %s', async (_, html) => {
    const site = await pageSite({ '/': html })
    expect((await site.read()).lacksMetadata).toBe(true)
  })

  it.each([
    ['og:title', `<meta property="og:title" content="Story">${SHELL}`],
    ['a description', `<meta name="description" content="About">${SHELL}`],
    ['an image', `${SHELL}<img src="/photo.jpg">`],
    ['a heading', `${SHELL}<h1>Story</h1>`],
    ['JSON-LD', `<script type="application/ld+json">{"@type":"Article","headline":"Story"}</script>${SHELL}`],
    ['text', `${SHELL}${'Words. '.repeat(50)}`],
    ['no scripts', '<title>App</title><p>Short'],
  ])('is not assumed for a page with %s', async (_, html) => {
    const site = await pageSite({ '/': html })
    expect((await site.read()).lacksMetadata).toBe(false)
  })

  it('is not assumed for a file', async () => {
    const site = await pageSite({ '/film.mp4': send('film', { 'content-type': 'video/mp4' }) })
    expect((await site.read({}, '/film.mp4')).lacksMetadata).toBe(false)
  })
})
