// Covers documents that their scripts fill or change: which of them need a browser, and which metadata is used after it.
import { describe, expect, it } from 'vitest'
import { pageSite, send } from './page-site.js'

const SCRIPT = '<script type="module" src="/assets/index-4f2a.js"></script>'
const TEXT = `<p>${'The tide clock was made in Bristol for a harbour master. '.repeat(30)}</p>`
const ROOT = `<div id="root"></div>${SCRIPT}`
const NOSCRIPT = '<noscript>You need to enable JavaScript to run this app.</noscript>'
const FRAME = `<header><a href="/">Quay Market</a> ${'<a href="/c">Category of things</a> '.repeat(10)}</header>`

interface Shell {
  name: string
  path?: string
  html: string
}

describe('a document is a shell that needs its scripts', () => {
  it.each<Shell>([
    { name: 'an empty root, and nothing else', html: `<title>App</title><div id="root">Loading…</div>${SCRIPT}` },
    {
      name: 'a long message for browsers without scripts',
      html: `<title>App</title>${ROOT}<noscript>${'Please enable JavaScript. '.repeat(20)}</noscript>`,
    },
    {
      name: 'an icon and a viewport',
      html: `<link rel="icon" href="/i.svg"><meta name="viewport" content="width=1"><title>App</title>${ROOT}`,
    },
    {
      name: 'create-react-app as it was created',
      html: `<title>React App</title><meta name="description" content="Web site created using create-react-app">${NOSCRIPT}${ROOT}`,
    },
    {
      name: 'create-react-app with another title, on a page of its own',
      path: '/clocks/7',
      html: `<title>Quay Market</title><meta name="description" content="Buy and sell antiques.">${NOSCRIPT}${ROOT}`,
    },
    {
      name: 'a default image and title for a whole site',
      path: '/c',
      html: `<title>Quay Market</title><meta property="og:image" content="/default.png"><meta property="og:title" content="Quay Market">${NOSCRIPT}${ROOT}`,
    },
    {
      name: 'the declarations of its home page on all pages',
      path: '/clocks/brass-tide-clock',
      html: `<title>Quay Market: antiques by the sea</title><link rel="canonical" href="/"><meta property="og:url" content="/"><meta property="og:title" content="Quay Market"><meta name="description" content="Antiques.">${ROOT}`,
    },
    {
      name: 'a Vue app from Vite',
      html: `<title>Vite App</title><meta name="description" content="x"><div id="app"></div>${SCRIPT}`,
    },
    {
      name: 'an Angular app with a description',
      path: '/orders/12',
      html: `<title>Orders</title><base href="/"><meta name="description" content="The shop."><app-root></app-root>${SCRIPT}`,
    },
    {
      name: 'a Flutter app',
      html: `<title>flutter demo</title><meta name="description" content="A new Flutter project."><body><script src="flutter_bootstrap.js" async></script>`,
    },
    {
      name: 'a static header, footer and heading of the site around an empty root',
      path: '/clocks/7',
      html: `<title>Quay Market</title><meta name="description" content="Antiques.">${FRAME}<h1>Quay Market</h1><main id="app"><div class="spinner">Loading…</div></main><footer>${'Imprint '.repeat(20)}</footer>${SCRIPT}`,
    },
    {
      name: 'a heading that only says that it loads',
      html: `<title>Loading...</title><meta name="description" content="x"><div id="root"><h1>Loading…</h1></div>${SCRIPT}`,
    },
    {
      name: 'the home page of an app that states no address',
      html: `<title>Quay Market</title><meta name="description" content="Antiques."><meta property="og:title" content="Quay Market">${ROOT}`,
    },
    {
      name: 'a body that has nothing but a script',
      path: '/7',
      html: `<title>Quay Market</title><meta name="description" content="Antiques."><body>${SCRIPT}`,
    },
    ...[
      'location.href="/plain"',
      'window.location = "/plain";',
      'setTimeout(() => { window.location.replace("/plain") }, 100)',
      'document.location.assign ( target )',
    ].map((script) => ({
      name: `a body that has nothing but a script that leads to another page: ${script}`,
      path: '/7',
      html: `<title>Quay short link</title><meta name="description" content="Short links by Quay"><meta property="og:title" content="Quay short link"><body><script>${script}</script>`,
    })),
    {
      name: 'a route in the fragment of the URL',
      path: '/#/clocks/7',
      html: `<title>Quay Market</title><meta name="description" content="Antiques.">${ROOT}`,
    },
    {
      name: 'a Japanese notice',
      path: '/7',
      html: `<title>市場</title><meta name="description" content="骨董品"><noscript>JavaScriptを有効にしてください。</noscript><div id="__next"></div>${SCRIPT}`,
    },
  ])('$name', async ({ path = '/', html }) => {
    const site = await pageSite({ [path.split('#', 1).join()]: html })
    expect((await site.read({}, path)).summary).toMatchObject({ isShell: true })
  })

  it.each<Shell>([
    {
      name: 'og:title and the address of a home page',
      html: `<title>Notes</title><meta property="og:title" content="Notes"><meta property="og:url" content="/">${ROOT}`,
    },
    {
      name: 'a description and the address of a home page',
      html: `<title>Notes</title><link rel="canonical" href="/"><meta name="description" content="About">${ROOT}`,
    },
    {
      name: 'an image and a description, with a script that counts visitors',
      html: `<title>Notes</title><meta name="description" content="About"><img src="/photo.jpg">${SCRIPT}`,
    },
    { name: 'a heading', html: `<title>App</title><h1>Story</h1>${ROOT}` },
    {
      name: 'JSON-LD',
      path: '/7',
      html: `<title>Story</title><script type="application/ld+json">{"@type":"Article","headline":"Story"}</script>${ROOT}`,
    },
    { name: 'text', html: `<title>App</title><div id="root">${'Words. '.repeat(50)}</div>${SCRIPT}` },
    { name: 'no scripts', html: '<title>App</title><div id="root"></div><p>Short' },
    {
      name: 'a document that only counts its visitors',
      path: '/a',
      html: `<title>Plain</title><meta name="description" content="Complete"><script>count()</script>`,
    },
    {
      name: 'a document without text that only looks at its address',
      path: '/a',
      html: `<title>Plain</title><meta name="description" content="Complete"><script>if (location.href == "/b" || page_location = 1) count()</script>`,
    },
    {
      name: 'a document with text whose script may lead to another page',
      path: '/a',
      html: `<title>Plain</title><meta name="description" content="Complete"><p>Some text</p><script>location.href="/b"</script>`,
    },
    {
      name: 'a document with data that looks like a script',
      path: '/a',
      html: `<title>Plain</title><meta name="description" content="Complete"><script type="application/ld+json">{"a":"location.href=1"}</script><script>count()</script>`,
    },
    {
      name: 'a head written by the server, with its own address',
      path: '/watch/7',
      html: `<title>Brass tide clock - Tube</title><meta property="og:title" content="Brass tide clock"><meta property="og:url" content="/watch/7"><meta name="description" content="A film."><div id="app"></div>${SCRIPT}`,
    },
    {
      name: 'a head written by the server, with the title in the URL',
      path: '/products/brass-tide-clock',
      html: `<title>Brass Tide Clock | Quay Market</title><meta name="description" content="Ticks.">${NOSCRIPT}${ROOT}`,
    },
    {
      name: 'a head written by the server for an article',
      path: '/7',
      html: `<title>Brass Tide Clock</title><meta name="description" content="Ticks."><meta property="article:published_time" content="2024-01-02">${ROOT}`,
    },
    {
      name: 'a page rendered by the server, by Next',
      path: '/7',
      html: `<title>Brass tide clock</title><meta name="description" content="Ticks."><div id="__next"><h1>Brass tide clock</h1>${TEXT}</div>${SCRIPT}`,
    },
    {
      name: 'a page rendered by the server, by Nuxt, without a heading',
      path: '/7',
      html: `<title>Brass tide clock</title><meta name="description" content="Ticks."><div id="__nuxt"><div>${TEXT}</div></div><div id="teleports"></div>${SCRIPT}`,
    },
    {
      name: 'an article with an empty place for its comments',
      path: '/7',
      html: `<title>Brass tide clock</title><h1>Brass tide clock</h1>${TEXT}<div id="app"></div><noscript>Enable JavaScript to see the comments.</noscript>${SCRIPT}`,
    },
  ])('but not: $name', async ({ path = '/', html }) => {
    const site = await pageSite({ [path]: html })
    expect((await site.read({}, path)).summary?.isShell ?? false).toBe(false)
  })

  it('but not: a file', async () => {
    const site = await pageSite({ '/film.mp4': send('film', { 'content-type': 'video/mp4' }) })
    expect((await site.read({}, '/film.mp4')).summary).toBeUndefined()
  })
})

it.each([
  ['it has no scripts', `<title>Story</title><h1>Story</h1>${TEXT}`],
  [
    'it is complete, and states its own address',
    `<title>Story</title><link rel="canonical" href="/7"><h1>Story</h1>${TEXT}${SCRIPT}`,
  ],
])('a document is not compared if %s', async (_, html) => {
  const site = await pageSite({ '/7': html })
  expect((await site.read({}, '/7')).summary).toBeUndefined()
})

interface Change {
  name: string
  before: string
  after: string
  data: Record<string, unknown> | undefined
}

const CLOCK =
  '<h1>Brass tide clock</h1><p>In working order, with its key and a spare spring, and with a letter of the maker.</p>'
const CRA = `<title>React App</title><meta name="description" content="Web site created using create-react-app">`
const SITE = `<title>Quay Market</title><meta property="og:image" content="/default.png"><meta property="og:title" content="Quay Market"><meta property="og:description" content="Antiques by the sea."><meta property="og:url" content="/"><link rel="canonical" href="/">`
const ARTICLE = `<title>Brass tide clock - Quay Market</title><meta name="description" content="How it was made."><h1>Brass tide clock</h1>${TEXT}`

describe('after its scripts have run', () => {
  it.each<Change>([
    {
      name: 'what they declare comes before the shell, as with react-helmet',
      before: `${CRA}${ROOT}`,
      after: `<title>Brass tide clock — Quay Market</title><meta name="description" content="Web site created using create-react-app"><meta property="og:title" content="Brass tide clock" data-rh="true"><meta name="description" content="In working order." data-rh="true"><div id="root">${CLOCK}</div>`,
      data: { title: 'Brass tide clock', description: 'In working order.' },
    },
    {
      name: 'the declarations of the site are used last',
      before: `${SITE}${ROOT}`,
      after: `${SITE}<meta property="og:title" content="Brass tide clock"><meta property="og:image" content="/clock.png"><meta property="og:description" content="In working order."><link rel="canonical" href="/7"><div id="root">${CLOCK}</div>`,
      data: {
        title: 'Brass tide clock',
        description: 'In working order.',
        image: { url: expect.stringMatching(/\/clock\.png$/) },
        url: expect.stringMatching(/\/7$/),
      },
    },
    {
      name: 'a title alone is better than og:title of the site, whose image stays',
      before: `${SITE}${ROOT}`,
      after: `${SITE.replace('<title>Quay Market', '<title>Brass tide clock | Quay Market')}<div id="root">${CLOCK}</div>`,
      data: {
        title: 'Brass tide clock',
        description: expect.stringMatching(/^In working order/),
        image: { url: expect.stringMatching(/\/default\.png$/) },
        publisher: 'Quay Market',
        url: expect.stringMatching(/\/7$/),
      },
    },
    {
      name: 'the description of a shell that states another page as its own is of that page',
      before: `${SITE}${ROOT}`,
      after: `${SITE.replace('<title>Quay Market', '<title>Brass tide clock')}<div id="root"><h1>Brass tide clock</h1><div>In working order, with its key.</div></div>`,
      data: { title: 'Brass tide clock', description: null },
    },
    {
      name: 'a heading alone is the title',
      before: `${CRA}${ROOT}`,
      after: `${CRA}<div id="root">${CLOCK}</div>`,
      data: { title: 'Brass tide clock' },
    },
    {
      name: 'JSON-LD that they add is read',
      before: `${SITE}${ROOT}`,
      after: `${SITE}<script type="application/ld+json">{"@type":"Product","name":"Brass tide clock","description":"In working order.","image":"/clock.png"}</script><div id="root">${CLOCK}</div>`,
      data: {
        title: 'Brass tide clock',
        description: 'In working order.',
        image: { url: expect.stringMatching(/\/clock\.png$/) },
      },
    },
    {
      name: 'the home page that a site sends for every address is replaced',
      before: `${SITE}<h1>Welcome to the quay</h1>${TEXT}${SCRIPT}`,
      after: `<title>Brass tide clock</title><meta property="og:title" content="Brass tide clock"><link rel="canonical" href="/7">${CLOCK}${TEXT}`,
      data: { title: 'Brass tide clock' },
    },
    {
      name: 'so is another page without an address, if title and heading have changed',
      before: `<title>Quay Market</title><h1>Welcome to the quay</h1>${TEXT}${SCRIPT}`,
      after: `<title>Brass tide clock</title>${CLOCK}${TEXT.replaceAll('Bristol', 'Cork')}`,
      data: { title: 'Brass tide clock' },
    },
    {
      name: 'so is a title with a heading that is tried on some visitors',
      before: `${ARTICLE}${SCRIPT}`,
      after: `<meta property="og:title" content="You will love this one">${ARTICLE.replace('<h1>Brass tide clock', '<h1>You will love this one')}`,
      data: undefined,
    },
    {
      name: 'a number of messages in the title is ignored',
      before: `${ARTICLE}${SCRIPT}`,
      after: ARTICLE.replace('<title>', '<title>(3) Messages '),
      data: undefined,
    },
    {
      name: 'so is a title that calls visitors back',
      before: `${ARTICLE}${SCRIPT}`,
      after: ARTICLE.replace(/<title>.*?<\/title>/, '<title>Come back! We miss you</title>'),
      data: undefined,
    },
    {
      name: 'so is a heading that is tried on some visitors',
      before: `${ARTICLE}${SCRIPT}`,
      after: ARTICLE.replace('<h1>Brass tide clock', '<h1>You will love this one'),
      data: undefined,
    },
    {
      name: 'so is a form to log in',
      before: `${ARTICLE}${SCRIPT}`,
      after: '<title>Log in | Quay Market</title><h1>Log in</h1><form><input type="password"></form>',
      data: undefined,
    },
    {
      name: 'so is an error of the app',
      before: `${ARTICLE}${SCRIPT}`,
      after: '<title>Application error</title><h1>Application error</h1><p>A client-side exception has occurred.</p>',
      data: undefined,
    },
    {
      name: 'so are an app without declarations and headings',
      before: `<title>Brass tide clock</title><meta property="og:title" content="Brass tide clock">${TEXT}${SCRIPT}`,
      after: `<title>Quay</title><div>${TEXT}</div>`,
      data: undefined,
    },
    {
      name: 'a shell stays as it is if nothing was rendered',
      before: `${SITE}${ROOT}`,
      after: `${SITE}${ROOT}`,
      data: undefined,
    },
  ])('$name', async ({ before, after, data }) => {
    const site = await pageSite({ '/7': before })
    const rendered = await site.readRendered(after, await site.read({}, '/7'))
    if (data) expect(rendered?.data).toMatchObject(data)
    else expect(rendered).toBeUndefined()
  })
})

it('the title and the description of a new project are used last', async () => {
  const site = await pageSite({ '/': `${CRA}<h1>Brass tide clock</h1>${TEXT}` })
  const { data } = await site.read()
  expect(data.title).toBe('Brass tide clock')
  expect(data.description).not.toContain('create-react-app')
})
