// Covers elements where selectors of a document do not reach, or where something else is over or beside them.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const WIDTH = 600
const HEIGHT = 400
const small = { viewport: { width: WIDTH, height: HEIGHT, deviceScaleFactor: 1 } }

const GREEN = [0, 255, 0]

const page = (body: string, styles = '', attributes = 'lang="en"') =>
  `<!doctype html><html ${attributes}><title>Harbour</title><style>body{margin:0}${styles}</style><body>${body}`
const shadow = (host: string, content: string) =>
  `<script>customElements.define('${host}', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(content)} } })</script>`
const green = (size: string, attributes = 'id="price"') => `<div ${attributes} style="${size};background:lime"></div>`
const gap = '<div style="height:900px;background:blue"></div>'
const rows = `<div style="height:1990px;background:lime"></div><div style="height:10px;background:lime"></div>`
const header = '<header style="position:fixed;inset:0 0 auto;height:80px;background:red;z-index:1"></header>'
const sticky = '<div style="position:sticky;top:80px;height:40px;background:red"></div>'
const inFrame = (content: string, styles = 'width:300px;height:200px') =>
  page(
    `${gap}<iframe style="display:block;border:7px solid red;padding:3px;${styles}" srcdoc='<body style="margin:0">${content}'></iframe>${gap}`,
  )

type ElementCase = [what: string, path: string, query: Record<string, unknown>, width: number, height: number]

const pages: Record<string, string> = {
  '/shadow': page(`${gap}<x-shop></x-shop>${gap}${shadow('x-shop', green('width:300px;height:100px'))}`),
  '/nested': page(
    `<x-outer></x-outer>${shadow('x-inner', green('width:50px;height:40px', 'class="buy"'))}${shadow('x-outer', '<x-inner></x-inner>')}`,
  ),
  '/slot': page(
    `<x-card>${green('width:70px;height:30px')}</x-card>${shadow('x-card', '<style>b{display:block;overflow:hidden}</style><b><slot></slot></b>')}`,
  ),
  '/frame': inFrame(green('width:120px;height:60px')),
  '/deep-frame': inFrame(`<div style="height:700px"></div>${green('width:120px;height:60px')}`),
  '/frame-in-shadow': page(
    `<x-shop></x-shop>${shadow('x-shop', `<iframe srcdoc='<body style="margin:0">${green('width:20px;height:20px')}'></iframe>`)}`,
  ),
  '/rtl': page(
    '<table id="t"><tr><td></table>',
    'body{margin:20px}table{width:1500px;background:lime;border-spacing:0}td{height:60px;padding:0}',
    'lang="ar" dir="rtl"',
  ),
  '/vertical': page(
    '<div id="t"></div>',
    'html{writing-mode:vertical-rl}#t{width:1500px;height:80px;background:lime}',
    'lang="ja"',
  ),
  '/header': page(
    `${header}<div style="height:300px"></div>${sticky}<main id="tall" style="height:2000px;background:lime"></main>
    <main id="short" style="height:100px;background:lime"></main><div style="height:100px"></div>`,
  ),
  '/toolbar': page(
    `${gap}<div id="tall" style="background:lime">${sticky.replace('red', 'lime')}<div style="height:1500px"></div></div>${gap}
    <aside style="position:fixed;bottom:0;right:0;width:200px;height:150px;background:red;pointer-events:none;z-index:9">chat</aside>`,
  ),
  '/backdrop': page(
    `<div style="position:fixed;inset:0;background:lime;z-index:-1"></div>${'<p style="height:100px;margin:0">text</p>'.repeat(4)}<main id="tall" style="height:1200px"></main>`,
  ),
  '/beside': page(
    `<div style="display:flex"><div style="width:300px;flex:none;overflow-x:auto"><div id="t" style="width:900px;height:80px;background:lime"></div></div><aside style="flex:1;background:red"></aside></div>`,
  ),
  '/carousel': page(
    `<div style="display:flex"><div style="width:200px;flex:none;overflow:hidden"><div style="display:flex;width:800px">${'<div style="width:200px;height:100px;background:blue"></div>'.repeat(2)}<div id="t" style="width:400px;height:100px;background:lime"></div></div></div><aside style="flex:1;background:red"></aside></div>`,
  ),
  '/wide': page(
    `${gap}<div style="width:300px;overflow:hidden"><div id="t" style="width:900px;height:80px;background:blue"><div style="width:300px;height:80px;background:lime"></div></div></div>${gap}`,
  ),
  '/logo': page(
    `${gap}<a id="t" href="/"><span><img src="/lime.svg" width="200" height="90" alt=""></span><i style="position:absolute;top:0;background:red">home</i></a>${gap}`,
    'a{font-size:0}',
  ),
  '/picture': page(
    `${gap}<p><picture id="t"><source srcset="/lime.svg"><img src="/none.svg" width="200" height="90" alt=""></picture></p>${gap}`,
    'p{font-size:0}',
  ),
  '/button': page(
    `<p><a id="t" href="/"><b style="display:inline-block;width:60px;height:70px;background:lime"></b></a> harbour`,
    'a{font-size:0}',
  ),
  '/popup': page(
    '<div style="position:relative"><div style="overflow:hidden;width:50px;height:20px"><div id="t" style="position:absolute;top:30px;width:150px;height:90px;background:lime"></div></div></div>',
  ),
  '/frame-header': inFrame(
    `<header style="position:fixed;inset:0 0 auto;height:80px;background:red"></header><div style="height:700px"></div>${green('height:900px')}<div style="height:700px"></div>`,
    'width:300px;height:300px',
  ),
  '/docked': page(
    `<aside style="position:fixed;right:0;bottom:0;width:300px;height:200px"><iframe style="border:0;width:300px;height:200px" srcdoc='<body style="margin:0">${green('width:120px;height:60px')}'></iframe></aside>${gap}`,
  ),
  '/list': page(`<h1>Harbour</h1><div id="t" style="height:300px;overflow:auto">${rows}</div>${gap}`),
  '/app': page(
    `<div id="app"><header style="height:50px;background:lime"></header><main>${rows}</main></div>`,
    'html,body{height:100%;overflow:hidden}#app{height:100%;display:flex;flex-direction:column}main{flex:1;overflow:auto}',
  ),
  '/within': page(
    `<nav>menu</nav><main><h1>Harbour</h1><article id="t">${rows}</article></main>`,
    'body{display:flex;height:100vh}nav{width:100px}main{flex:1;overflow:auto}',
  ),
  '/contents': page(
    `${gap}<div style="display:grid;grid-template-columns:1fr"><div id="t" style="display:contents"><i hidden></i>${green('height:60px', '')}${green('height:50px', '')}</div></div>${gap}`,
  ),
  '/list-of-contents': page(
    `<ul style="margin:0;padding:0">${'<li style="display:contents"><p style="height:90px;margin:0;background:blue">one</p></li>'.repeat(9)}<li id="t" style="display:contents"><p style="height:90px;margin:0;background:lime"></p></li></ul>${gap}`,
  ),
  '/skipped': page(
    `${'<section><div style="height:130px;background:blue">chapter</div></section>'.repeat(9)}<section id="t"><div style="height:1100px;background:lime"></div></section>${gap}`,
    'section{content-visibility:auto;contain-intrinsic-size:auto 500px}',
  ),
  '/code': page(
    `<article id="t" style="height:900px;background:lime"><pre style="height:100px;overflow:auto;background:lime;margin:0"><code style="display:block;height:5000px"></code></pre></article>`,
  ),
}

const blank = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const onSight = (selector: string, code: string) =>
  `<script>const seen = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) { ${code} } })
  for (const each of document.querySelectorAll('${selector}')) seen.observe(each)</script>`
/** Eight parts of 700 CSS pixels. */
const parts = (part: string) => page(`${gap}<main id="t">${part.repeat(8)}</main>${gap}`, partStyles)
const partStyles = 'main *{display:block;width:600px;height:700px}.part{background:lime}'
const tall: Record<string, string> = {
  'images that the browser loads on scroll': parts('<img loading="lazy" src="/slow.svg">'),
  'images that a script loads on scroll': parts(`<img src="${blank}" data-later="/lime.svg">`).concat(
    onSight('img', 'if (isIntersecting) target.src = target.dataset.later'),
  ),
  'images that a script loads once scrolling has stopped': parts(`<img src="${blank}" data-src="/lime.svg">`).concat(
    `<script>let timer; addEventListener('scroll', () => { clearTimeout(timer); timer = setTimeout(() => {
      for (const image of document.images) if (Math.abs(image.getBoundingClientRect().top) < innerHeight) image.src = image.dataset.src }, 250) })</script>`,
  ),
  'parts that fade in on scroll': parts('<div class="part"></div>').concat(
    '<style>.part{opacity:0;transform:translateY(40px);transition:.6s}.on{opacity:1;transform:none}</style>',
    onSight('.part', "if (isIntersecting) target.classList.add('on')"),
  ),
  'parts that fade in on scroll, and out again': parts('<div class="part"><p>Harbour</p></div>').concat(
    '<style>main p{height:20px;margin:0}.part{opacity:0;transition:opacity .4s}.on{opacity:1}</style>',
    onSight('.part', "target.classList.toggle('on', isIntersecting)"),
  ),
}
const image = (_: unknown, response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'image/svg+xml' })
    .end(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="700"><rect width="600" height="700" fill="lime"/></svg>',
    )
const pathOf = (name: string) => `/${name.replaceAll(/\W+/g, '-')}`

let test: TestBrowser
let other: LocalSite
beforeAll(async () => {
  other = await localSite(
    {
      '/header': `<!doctype html><body style="margin:0"><header style="position:fixed;inset:0 0 auto;height:80px;background:red"></header>
        <div style="height:700px"></div>${green('height:900px', 'id="play"')}`,
      '/player': `<!doctype html><body style="margin:0"><button id="play" style="display:block;border:0;width:150px;height:50px;background:lime"
        onclick="document.body.insertAdjacentHTML('beforeend', '<i id=playing>')"></button>`,
    },
    0,
    '127.0.0.2',
  )
  test = await startTestBrowser(
    {
      ...pages,
      ...Object.fromEntries(Object.entries(tall).map(([name, html]) => [pathOf(name), html])),
      '/lime.svg': image,
      '/slow.svg': (_, response) => void setTimeout(() => image(_, response), 300),
      '/later.svg': (_, response) => void setTimeout(() => image(_, response), 7_000),
      '/never.svg': () => undefined,
      '/other-header': page(
        `<iframe width="300" height="300" style="border:0" src="${other.url}/header"></iframe>${gap}`,
      ),
      '/other': page(
        `${gap}<iframe width="300" height="200" style="border:0" src="${other.url}/player"></iframe>${gap}`,
      ),
    },
    { allowTargets: [other.host] },
  )
}, 60_000)
afterAll(() => Promise.all([test.close(), other.close()]))

const png = { screenshot: { type: 'png' }, ...small }

describe('an element', () => {
  it.each<ElementCase>([
    ['in an open shadow root', '/shadow', { element: '#price' }, 300, 100],
    ['in a frame', '/frame', { element: '#price' }, 120, 60],
    ['in a frame of another site', '/other', { element: '#play' }, 150, 50],
    ['that overflows to the left', '/rtl', { element: '#t' }, 1500, 60],
    ['under a header', '/header', { element: '#tall' }, 600, 2000],
    ['that scrolls', '/list', { element: '#t' }, 600, 2000],
    ['without a box of its own', '/contents', { element: '#t' }, 600, 110],
    ['beside another, in a box that scrolls sideways', '/beside', { element: '#t' }, 300, 80],
    ['wider than the box that cuts it off', '/wide', { element: '#t' }, 300, 80],
    ['that is a link around an image', '/logo', { element: '#t' }, 200, 90],
    ...slowCases<ElementCase>(
      ['in a shadow root in another', '/nested', { element: '.buy' }, 50, 40],
      ['in a shadow root of an element', '/nested', { element: 'x-outer >>> .buy' }, 50, 40],
      ['in a slot', '/slot', { element: 'x-card #price' }, 70, 30],
      ['far down in a frame', '/deep-frame', { element: '#price' }, 120, 60],
      ['in a frame in a shadow root', '/frame-in-shadow', { element: '#price' }, 20, 20],
      ['that overflows to the left because lines do', '/vertical', { element: '#t' }, 1500, 80],
      ['under the header of a frame of another site', '/other-header', { element: '#play' }, 300, 300],
      ['under the header of its frame', '/frame-header', { element: '#price' }, 300, 300],
      ['in a frame that stays in the viewport', '/docked', { element: '#price' }, 120, 60],
      ['less tall than the viewport', '/header', { element: '#short' }, 600, 100],
      ['with a toolbar in it and a chat over it', '/toolbar', { element: '#tall' }, 600, 1540],
      ['in a carousel', '/carousel', { element: '#t' }, 200, 100],
      ['that is a picture', '/picture', { element: '#t' }, 200, 90],
      ['that is a link around a box', '/button', { element: '#t' }, 60, 70],
      ['that is positioned outside of the box that cuts others', '/popup', { element: '#t' }, 150, 90],
      ['in which the application scrolls', '/app', { element: '#app' }, 600, 2050],
      ['in a box that scrolls', '/within', { element: '#t' }, 500, 2000],
      ['without a box, that is first in its list', '/list-of-contents', { element: '#t' }, 600, 90],
      ['that is not rendered until it is near', '/skipped', { element: '#t' }, 600, 1100],
      ['with a code block that scrolls', '/code', { element: '#t' }, 600, 900],
    ),
  ])('%s is captured with nothing else', async (_, path, query, width, height) => {
    const capture = await test.capture(path, { ...png, ...query })
    const warnings = path === '/beside' ? [expect.stringContaining('wider than what scrolls around it')] : []
    expect(capture).toMatchObject({ width, height, warnings })
    for (const x of [1, Math.floor(width / 2), width - 2])
      for (const y of [1, Math.min(300, height - 1), Math.floor(height / 3), Math.floor(height / 2), height - 2])
        expect(isLike(await pixelAt(capture.bytes, x, y), GREEN), `${x}, ${y}`).toBe(true)
  })

  slowIt('keeps the background of the page', async () => {
    const { bytes } = await test.capture('/backdrop', { ...png, element: '#tall' })
    expect(isLike(await pixelAt(bytes, 300, 100), GREEN)).toBe(true)
  })

  it('that is nowhere is an error that mentions frames', async () => {
    const missing = test.capture('/frame', { ...png, element: '#none' })
    await expect(missing).rejects.toMatchObject({ code: 'EELEMENT', message: expect.stringContaining('frames') })
  })

  it.each(['#', 'a >>> ', '>>> b', 'a >>> 5'])('is not %j, which is not a selector', async (element) => {
    await expect(test.capture('/frame', { ...png, element })).rejects.toMatchObject({ code: 'EINVALQUERY' })
  })
})

it('shows the part of the page that a clip names, without what stays in the viewport', async () => {
  const { bytes } = await test.capture('/header', { ...small, screenshot: { type: 'png', clip: '0,1000,600,400' } })
  for (const y of [10, 90, 110, 390]) expect(isLike(await pixelAt(bytes, 300, y), GREEN), `at ${y}`).toBe(true)
})

const [firstTall, ...otherTall] = Object.keys(tall)

describe('what is taller than the viewport', () => {
  const shown = { screenshot: { type: 'png' }, element: '#t' }
  const clipped = { screenshot: { type: 'png', clip: '0,900,600,5600' } }

  it.each([firstTall!, ...slowCases(...otherTall)])('shows %s', async (name) => {
    for (const query of [shown, clipped]) {
      const capture = await test.capture(pathOf(name), { ...small, ...query })
      expect(capture).toMatchObject({ width: WIDTH, height: 5_600, warnings: [] })
      for (let y = 350; y < 5_600; y += 700)
        expect(isLike(await pixelAt(capture.bytes, 300, y), GREEN), `${JSON.stringify(query)} at ${y}`).toBe(true)
    }
  })

  slowIt('says if it is longer than what is scrolled', async () => {
    test.site.routes['/long'] = page('<main id="t" style="height:27000px;background:lime"></main>')
    const capture = await test.capture('/long', { ...small, ...shown })
    const warnings = [expect.stringMatching(/^The element or the clip is too long to be scrolled to its end/)]
    expect(capture).toMatchObject({ width: WIDTH, height: 27_000, warnings })
  })
})

describe('what lies far below the first screen', () => {
  const far = '<div style="height:9000px"></div>'
  const clip = { screenshot: { type: 'png', clip: '0,9000,200,90' } }
  const lazy: [name: string, html: string][] = [
    ['an image that the browser loads there', '<img id="t" loading="lazy" src="/slow.svg" width="200" height="90">'],
    [
      'an image whose URL a script fetches there',
      `<img id="t" width="200" height="90">${onSight('img', "if (isIntersecting) fetch('/slow.svg').then(() => { target.src = '/slow.svg?2' })")}`,
    ],
    [
      'a background that a script sets there',
      `<div id="t" style="width:200px;height:90px"></div>${onSight('#t', "if (isIntersecting) target.style.background = 'url(/slow.svg)'")}`,
    ],
  ]

  it.each([lazy[0]!, ...slowCases(...lazy.slice(1))])('is loaded: %s', async (name, html) => {
    test.site.routes[pathOf(name)] = page(`${far}${html}${far}`, 'img{display:block}')
    for (const query of [
      { element: '#t', ...png },
      { ...small, ...clip },
      { scroll: '#t', ...png },
    ]) {
      const { bytes, warnings } = await test.capture(pathOf(name), query)
      expect(warnings).toEqual([])
      expect(isLike(await pixelAt(bytes, 100, 50), GREEN), JSON.stringify(query)).toBe(true)
    }
  })

  slowIt('is waited for as long as other images', async () => {
    const image = '<img id="t" loading="lazy" src="/later.svg" width="200" height="90">'
    test.site.routes['/later'] = page(`${far}${image}${far}`, 'img{display:block}')
    const whole = { screenshot: { type: 'png', fullPage: true }, ...small }
    for (const query of [{ element: '#t', ...png }, whole]) {
      const { bytes, warnings } = await test.capture('/later', query)
      expect(warnings).toEqual([])
      const y = 'element' in query ? 50 : 9_050
      expect(isLike(await pixelAt(bytes, 100, y), GREEN), JSON.stringify(query)).toBe(true)
    }
  })

  slowIt('is named if it does not arrive', async () => {
    const image = '<img id="t" loading="lazy" src="/never.svg" width="200" height="90">'
    test.site.routes['/hanging'] = page(`${far}${image}${far}`, 'img{display:block}')
    const { warnings } = await test.capture('/hanging', { element: '#t', ...png })
    expect(warnings).toEqual([expect.stringContaining('/never.svg')])
  })
})

describe('an interaction', () => {
  it.each([
    ['in a shadow root', '/shadow', '#price'],
    ['in a frame', '/deep-frame', '#price'],
    ['in a frame of another site', '/other', '#play'],
    ...slowCases(['below `>>>`', '/nested', 'x-outer >>> .buy'] as [string, string, string]),
  ])('finds its element %s', async (_, path, selector) => {
    const query = { ...png, waitForSelector: selector, click: selector, scroll: selector }
    const { bytes, warnings } = await test.capture(path, query)
    expect(warnings).toEqual([])
    const colours = await Promise.all([10, 40, 120, 200, 270].map((y) => pixelAt(bytes, 20, y)))
    expect(colours.some((colour) => isLike(colour, GREEN))).toBe(true)
  })

  it('clicks in a frame of another site', async () => {
    const { warnings } = await test.capture('/other', { ...png, click: '#play', scroll: '#playing' })
    expect(warnings).toEqual([])
  })
})
