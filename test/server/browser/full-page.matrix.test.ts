// Covers whole pages whose content scrolls inside an element, as in the layouts of applications, pages that only look like them, and
// frames of other origins, which Chromium paints in the viewport only.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const WIDTH = 600
const HEIGHT = 400
const small = { viewport: { width: WIDTH, height: HEIGHT, deviceScaleFactor: 1 } }

const RED = [255, 0, 0]
const GREEN = [0, 255, 0]
const BLUE = [0, 0, 255]

const page = (styles: string, body: string, type = '<!doctype html>') =>
  `${type}<html lang="en"><title>Harbour</title><style>body{margin:0}${styles}</style><body>${body}`
/** 2,000 CSS pixels: red, green at the end. */
const rows = `${'<p class="row" style="height:100px;margin:0;background:red">row</p>'.repeat(19)}<p style="height:100px;margin:0;background:lime">end</p>`
const sentences = rows.replaceAll('>row<', '>The tide gauge was read again.<')
const header = '<header style="height:60px;background:blue">Harbour</header>'
const footer = '<footer style="height:40px;background:blue">foot</footer>'
const script = (code: string) => `<script>${code}</script>`

/** Moves an element when the wheel turns. */
const wheel = (id: string) =>
  script(
    `let y = 0; addEventListener('wheel', ({ deltaY }) => { y -= deltaY; ${id}.style.transform = 'translate3d(0,' + y + 'px,0)' })`,
  )

interface Layout {
  html: string
  height: number
  /** Colours from the top of the image, in the middle. */
  colours?: [y: number, colour: number[]][]
  /** How the warning begins; default: there is none. */
  warning?: RegExp
}

/** Header, rows and footer, below each other. */
const COLUMN: [y: number, colour: number[]][] = [
  [30, BLUE],
  [80, RED],
  [1_940, RED],
  [1_980, GREEN],
  [2_050, GREEN],
  [2_080, BLUE],
]

const layouts: Record<string, Layout> = {
  'a column with a header': {
    html: page(
      'html,body{height:100%;overflow:hidden}body{display:flex;flex-direction:column}main{flex:1;overflow:auto}',
      `${header}<main>${rows}</main>`,
    ),
    height: 2060,
  },
  'a body that scrolls, because nothing may overflow sideways': {
    html: page('html,body{height:100%;overflow-x:hidden}', rows),
    height: 2000,
  },
  'a root as tall as the viewport': {
    html: page('#app{height:100vh;overflow-y:auto}', `<div id="app">${rows}</div>`),
    height: 2000,
  },
  'a root as tall as the viewport, in quirks mode': {
    html: page('html,body,#app{height:100%}#app{overflow-y:scroll}', `<div id="app">${rows}</div>`, ''),
    height: 2000,
  },
  'a fixed box with the article': {
    html: page(
      'article{position:fixed;top:60px;left:0;right:0;bottom:0;overflow-y:scroll}',
      `${header}<article>${rows}</article>`,
    ),
    height: 2060,
  },
  'a grid with a menu and a footer': {
    html: page(
      '#app{display:grid;height:100vh;grid-template:60px 1fr 40px/120px 1fr;overflow:hidden}header,footer{grid-column:1/3}main{overflow:auto}footer{background:blue}',
      `<div id="app">${header}<nav>menu</nav><main>${rows}</main><footer>foot</footer></div>`,
    ),
    height: 2100,
    colours: [[2080, BLUE]],
  },
  'absolute boxes in each other': {
    html: page(
      '.shell{position:relative;height:100vh;overflow:hidden}.content{position:absolute;inset:0;contain:strict}.scroll{height:100%;overflow:auto}',
      `<div class="shell"><div class="content"><div class="scroll">${rows}</div></div></div>`,
    ),
    height: 2000,
  },
  'a scroller in a shadow root': {
    html: page(
      'app-page{position:absolute;inset:0;display:block}',
      `<app-page>${rows}</app-page>${script(`document.querySelector('app-page').attachShadow({ mode: 'open' }).innerHTML =
        '<style>main{position:absolute;inset:0;overflow-y:auto}</style><main><slot></slot></main>'`)}`,
    ),
    height: 2000,
  },
  'a frame as large as the viewport': {
    html: page(
      'html,body{height:100%;overflow:hidden}iframe{display:block;width:100%;height:100%;border:0}',
      `<iframe srcdoc='<body style="margin:0">${rows.replaceAll('"', '')}'></iframe>`,
    ),
    height: 2000,
  },
  'slides in per cent of their scroller': {
    html: page(
      'html,body{height:100%;overflow:hidden}main{height:100%;overflow-y:scroll;scroll-snap-type:y mandatory}section{height:100%;scroll-snap-align:start;background:red}section:last-child{background:lime}',
      `<main>${'<section>slide</section>'.repeat(5)}</main>`,
    ),
    height: 5 * HEIGHT,
    colours: [
      [50, RED],
      [1_590, RED],
      [1_610, GREEN],
    ],
  },
  'a first screen that fills the viewport': {
    html: page(
      '#app{height:100vh;overflow-y:auto}.hero{min-height:100vh;background:blue}',
      `<div id="app"><div class="hero">Harbour</div>${rows}</div>`,
    ),
    height: 2000 + HEIGHT,
    colours: [
      [HEIGHT - 10, BLUE],
      [HEIGHT + 10, RED],
    ],
  },
  'rows that are appended on scroll': {
    html: page(
      '#app{height:100vh;overflow-y:auto}p{height:200px;margin:0;background:red}p.end{background:lime}',
      `<div id="app"></div>${script(`let count = 0
        const add = () => { if (count < 10) app.insertAdjacentHTML('beforeend', ++count < 10 ? '<p>row' : '<p class=end>end') }
        add(); add(); add()
        app.addEventListener('scroll', () => { if (app.scrollTop + app.clientHeight > app.scrollHeight - 300) add() })`)}`,
    ),
    height: 2000,
    colours: [
      [1_790, RED],
      [1_810, GREEN],
    ],
  },
  'lazy images': {
    html: page(
      '#app{height:100vh;overflow-y:auto}img{display:block;width:100%;height:1000px}',
      `<div id="app"><img loading="lazy" src="/red.svg"><img loading="lazy" src="/lime.svg"></div>`,
    ),
    height: 2000,
    colours: [
      [500, RED],
      [1_500, GREEN],
    ],
  },
  'a list that renders the rows in its box': {
    html: page(
      'html,body,#list{height:100%}#list{overflow-y:auto;position:relative}p{position:absolute;left:0;right:0;height:100px;margin:0;background:red}p.end{background:lime}',
      `<div id="list"><div id="inner" style="height:2000px"></div></div>${script(`const draw = () => {
          inner.textContent = ''
          const first = Math.floor(list.scrollTop / 100), last = Math.min(19, Math.ceil((list.scrollTop + list.clientHeight) / 100))
          for (let i = first; i <= last; i++) {
            const row = document.createElement('p')
            row.className = i === 19 ? 'end' : ''
            row.style.top = i * 100 + 'px'
            inner.append(row)
          }
        }
        list.addEventListener('scroll', draw)
        new ResizeObserver(draw).observe(list)`)}`,
    ),
    height: 2000,
  },
  'sections that are not rendered until they are near': {
    html: page(
      'section{content-visibility:auto;contain-intrinsic-size:auto 500px}',
      `${'<section><div style="height:300px;background:red">chapter</div></section>'.repeat(9)}<section><div style="height:100px;background:lime">end</div></section>`,
    ),
    height: 2800,
    colours: [
      [250, RED],
      [2_650, RED],
      [2_750, GREEN],
    ],
  },
  'a background that stays in the viewport': {
    html: page(
      'div{height:900px}.photo{background:url(/lime.svg) center/cover fixed}',
      '<div style="background:red"></div><div class="photo"></div><div style="background:red"></div>',
    ),
    height: 2700,
    colours: [
      [850, RED],
      [950, GREEN],
      [1_750, GREEN],
      [1_850, RED],
    ],
  },
  'a parallax with a perspective': {
    html: page(
      'html,body{height:100%;overflow:hidden}main{height:100vh;overflow:hidden auto;perspective:10px}header{position:relative;height:100%;transform-style:preserve-3d}header div{position:absolute;inset:0;background:lime;transform:translateZ(-10px) scale(2)}',
      `<main><header><div></div></header>${rows}</main>`,
    ),
    height: 2000 + HEIGHT,
    colours: [
      [5, GREEN],
      [395, GREEN],
      [450, RED],
    ],
  },
  'sections that scripts move through the viewport': {
    html: page(
      'html,body{height:100%;overflow:hidden}#full{height:100%;position:relative;transform:translate3d(0,0,0)}section{height:100vh;background:red}section:last-child{background:lime}',
      `<div id="full">${'<section>slide</section>'.repeat(5)}</div>`,
    ),
    height: 5 * HEIGHT,
    colours: [
      [1_590, RED],
      [1_610, GREEN],
    ],
  },
  'a set of frames, of which it shows what is in sight': {
    html: `<html><title>Harbour</title><frameset cols="200,*"><frame src="/menu"><frame src="/main"></frameset></html>`,
    height: HEIGHT,
    colours: [[100, RED]],
    warning: /cannot be expanded/,
  },
  'a document that may not scroll': {
    html: page('html{position:fixed;inset:0;overflow:hidden}body{overflow:hidden}', `<div>${rows}</div>`),
    height: 2000,
  },
  'three columns': {
    html: page(
      'body{display:flex;height:100vh}aside{width:130px;overflow-y:auto;flex:none}main{flex:1;overflow-y:auto}',
      `<aside><div style="height:900px">menu</div></aside><main>${rows}</main><aside>who is here</aside>`,
    ),
    height: 2000,
  },
  'a body that is fixed': {
    html: page('html{overflow:hidden}body{position:fixed;inset:0;overflow-y:scroll}', rows),
    height: 2000,
  },
  'a scroller in the middle of a column': {
    html: page(
      'html,body{height:100%}body{display:flex;flex-direction:column}.middle{flex:1;position:relative}main{position:absolute;inset:0;overflow:auto}',
      `${header}<div class="middle"><main>${rows}</main></div>${footer}`,
    ),
    height: 2100,
    colours: COLUMN,
  },
  'a scroller in a shadow root in a column that is contained': {
    html: page(
      'html,body{height:100%;overflow:hidden;position:fixed;width:100%}#app{position:absolute;inset:0;display:flex;flex-direction:column;contain:layout size style;overflow:hidden}app-page{flex:1;position:relative;display:block;contain:size style}',
      `<div id="app">${header}<app-page>${rows}</app-page>${footer}</div>${script(`document.querySelector('app-page').attachShadow({ mode: 'open' }).innerHTML =
        '<style>main{position:absolute;inset:0;overflow-y:auto;contain:size style}</style><main><slot></slot></main>'`)}`,
    ),
    height: 2100,
    colours: COLUMN,
  },
  'a scroller between a header and a footer that are positioned': {
    html: page(
      'body{overflow:hidden}#app{position:absolute;inset:0}header,footer,main{position:absolute;left:0;right:0}header{top:0}footer{bottom:0}main{top:60px;bottom:40px;overflow:auto}',
      `<div id="app">${header}<main>${rows}</main>${footer}</div>`,
    ),
    height: 2100,
    colours: COLUMN,
  },
  'a header above a root as tall as the viewport': {
    html: page('#app{height:100vh;overflow-y:auto}', `${header}<div id="app">${rows}</div>`),
    height: 2060,
  },
  'columns that may not overflow': {
    html: page(
      '.screen{height:100vh;display:flex;overflow:hidden}.side{width:100px}.main{flex:1;min-width:0;display:flex;flex-direction:column;overflow:hidden}.content{flex:1 1 0;min-height:0;position:relative;overflow-y:auto}',
      `<div class="screen"><div class="side">menu</div><div class="main">${header}<div class="content">${rows}</div></div></div>`,
    ),
    height: 2060,
  },
  'a height that is calculated': {
    html: page(
      'body{overflow:hidden}main{height:calc(100dvh - 60px);overflow-y:scroll;scroll-behavior:smooth}',
      `${header}<main>${rows}</main>`,
    ),
    height: 2060,
  },
  'a box that is moved by a transform': {
    html: page(
      'html,body{height:100%;overflow:hidden}.view{position:absolute;inset:0;transform:translate3d(0,0,0);transition:transform 1s}.view>div{position:absolute;inset:0;overflow:auto}',
      `<div class="view"><div>${rows}</div></div>`,
    ),
    height: 2000,
  },
  'a table layout': {
    html: page(
      'html,body{height:100%;overflow:hidden}.table{display:table;width:100%;height:100%}.cell{display:table-cell;height:100%}.cell>div{height:100%;overflow:auto}',
      `<div class="table"><div class="cell"><div>${rows}</div></div></div>`,
    ),
    height: 2000,
  },
  'a form with the content': {
    html: page(
      'html,body,form{height:100%;margin:0}form{overflow:hidden}#workspace{height:100%;overflow-x:hidden;overflow-y:scroll;position:relative}',
      `<form><div id="workspace">${rows}<input name="style"></div></form>`,
    ),
    height: 2021,
    colours: [
      [1_850, RED],
      [1_950, GREEN],
    ],
  },
  'a scroller in a closed shadow root': {
    html: page(
      'app-page{position:absolute;inset:0;display:block}',
      `<app-page></app-page>${script(`document.querySelector('app-page').attachShadow({ mode: 'closed' }).innerHTML =
        '<style>main{position:absolute;inset:0;overflow-y:auto}</style><main>${rows}</main>'`)}`,
    ),
    height: 2000,
  },
  'a scroller in a closed shadow root that is declared': {
    html: page(
      'html,body{height:100%;overflow:hidden}',
      `<div style="height:100%"><template shadowrootmode="closed"><style>main{height:100%;overflow-y:auto}</style>${header}<main style="height:calc(100% - 60px)">${rows}</main></template></div>`,
    ),
    height: 2060,
  },
  'a scroller around what is in a closed shadow root': {
    html: page(
      'app-page{position:absolute;inset:0;display:block}',
      `<app-page>${rows}</app-page>${script(`document.querySelector('app-page').attachShadow({ mode: 'closed' }).innerHTML =
        '<style>main{position:absolute;inset:0;overflow-y:auto}</style><main><slot></slot></main>'`)}`,
    ),
    height: 2000,
  },
  'a scroller in closed shadow roots in each other': {
    html: page(
      'app-page{position:absolute;inset:0;display:block}',
      `<app-page></app-page>${script(`const root = document.querySelector('app-page').attachShadow({ mode: 'closed' })
        root.innerHTML = '<style>x-view{position:absolute;inset:0}</style><x-view></x-view>'
        root.querySelector('x-view').attachShadow({ mode: 'closed' }).innerHTML =
          '<style>main{position:absolute;inset:0;overflow-y:auto}</style><main>${rows}</main>'`)}`,
    ),
    height: 2000,
  },
  'a body that is a closed shadow root': {
    html: page(
      'html,body{height:100%;overflow:hidden}',
      script(
        `document.body.attachShadow({ mode: 'closed' }).innerHTML = '<div style="height:100%;overflow:auto">${rows}</div>'`,
      ),
    ),
    height: 2000,
  },
  'sections that a library moves, one a screen': {
    html: page(
      'html,body{height:100%;overflow:hidden}#fullpage{height:100%;position:relative;transform:translate3d(0,0,0);transition:transform .7s}section{height:100vh;position:relative;background:red}section:last-child{background:lime}',
      `<div id="fullpage">${'<section><h2 style="margin:0">Section</h2></section>'.repeat(4)}</div>${wheel('fullpage')}`,
    ),
    height: 4 * HEIGHT,
    colours: [
      [3 * HEIGHT - 20, RED],
      [3 * HEIGHT + 20, GREEN],
    ],
  },
  'slides above each other in a box that cuts them off': {
    html: page(
      'html,body{height:100%}.swiper{height:100vh;overflow:hidden;position:relative}.wrapper{height:100%;display:flex;flex-direction:column;transform:translate3d(0,0,0)}.slide{height:100%;flex-shrink:0;background:red}.slide:last-child{background:lime}',
      `<div class="swiper"><div class="wrapper" id="slides">${'<div class="slide">slide</div>'.repeat(3)}</div></div>${wheel('slides')}`,
    ),
    height: 3 * HEIGHT,
    colours: [
      [2 * HEIGHT - 20, RED],
      [2 * HEIGHT + 20, GREEN],
    ],
  },
  'a page that a library moves instead of scrolling it': {
    html: page(
      'html{overflow:hidden;position:fixed;left:0;top:0;right:0;bottom:0}body{overflow:hidden}#content{min-height:100vh;will-change:transform;transform:matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)}',
      `<div id="content" data-scroll-container>${rows}</div>${wheel('content')}`,
    ),
    height: 2000,
  },
  'content in a box of its own that a library moves': {
    html: page(
      'html,body{height:100%;overflow:hidden}.scroll{height:100%;overflow:hidden;outline:none}',
      `<div class="scroll" data-scrollbar><div id="content">${sentences}</div></div>${wheel('content')}`,
    ),
    height: 2000,
  },
  'a fixed box whose content follows the scroll position of the page': {
    html: page(
      '#wrapper{position:fixed;inset:0;overflow:hidden}',
      `<div id="wrapper"><div id="content">${sentences}</div></div>${script(`
        document.body.style.height = content.offsetHeight + 'px'
        let y = 0
        const move = () => { y += (scrollY - y) * 0.2; content.style.transform = 'translate3d(0,' + -y + 'px,0)'; requestAnimationFrame(move) }
        move()`)}`,
    ),
    height: 2000,
  },
  'text below the first screen in boxes of their own': {
    html: page(
      'html,body,#pages{height:100%;overflow:hidden;position:relative}.page{position:absolute;left:0;width:100%;height:100%;background:red}',
      `<div id="pages">${[0, 1, 2].map((n) => `<div class="page" style="top:${n * 100}%">${'The tide gauge was read again. '.repeat(9)}</div>`).join('')}</div>`,
    ),
    height: HEIGHT,
    colours: [[HEIGHT - 20, RED]],
    warning: /^fullPage: the page has text below its first screen/,
  },
  'more than a screenshot shows': {
    html: page(
      '#app{height:100vh;overflow-y:auto}',
      `<div id="app"><div style="height:90000px;background:red"></div></div>`,
    ),
    height: 64 * HEIGHT,
    colours: [[64 * HEIGHT - 10, RED]],
    warning: /^fullPage: the page scrolls inside an element; .* the first 25600 CSS pixels/,
  },
}

const text = '<p style="height:100px;margin:0;color:black">text</p>'.repeat(20)
const LIME_LAYER = 'position:fixed;inset:0;background:lime'
/** 2,000 CSS pixels of black text on lime. */
const backdrops: Record<string, string> = {
  'a background of the body': page('body{background:url(/lime.svg) no-repeat center/cover fixed}', text),
  'a background of the root': page('html{background:linear-gradient(lime,lime) no-repeat fixed}', text),
  'a layer below the page': page(`.layer{${LIME_LAYER};z-index:-1}`, `<div class="layer"></div>${text}`),
  'a layer before what is positioned': page(
    `.layer{${LIME_LAYER};pointer-events:none}main{position:relative}`,
    `<div class="layer"></div><main>${text}</main>`,
  ),
  'an image below the page': page(
    'img{position:fixed;top:0;left:0;width:100vw;height:100vh;object-fit:cover;z-index:-1}',
    `<img src="/lime.svg">${text}`,
  ),
  'what is generated before the body': page(`body::before{content:'';${LIME_LAYER};z-index:-1}`, text),
  'a layer below an application': page(
    `html,body{height:100%;overflow:hidden}.layer{${LIME_LAYER};z-index:-1}main{height:100%;overflow:auto}`,
    `<div class="layer"></div><main>${text}</main>`,
  ),
}

const code =
  '<pre style="height:300px;overflow:auto;margin:0;background:lime"><code style="display:block;height:3000px">code</code></pre>'
const chat =
  '<div style="position:fixed;right:0;bottom:0;width:200px;height:300px;overflow:auto"><div style="height:5000px">chat</div></div>'
const scrolling = '<div style="height:1500px">article</div>'

/** Pages whose size is that of their document. */
const ordinary: Record<string, [html: string, height: number]> = {
  'a code block in the middle of an article': [page('', `<p style="height:50px;margin:0">${code}${scrolling}`), 1850],
  'a chat box over an article': [page('', scrolling + chat), 1500],
  'a chat box on a page that does not scroll': [page('', `<h1>Harbour</h1>${chat}`), HEIGHT],
  'a menu beside a page that does not scroll sideways': [
    page(
      'body{overflow-x:hidden}nav{position:absolute;top:0;left:100%;width:300px;height:900px}',
      `<nav>menu</nav>${scrolling}`,
    ),
    1500,
  ],
  'a menu beside a page from right to left': [
    page(
      'html{direction:rtl;overflow-x:hidden}nav{position:absolute;top:0;right:100%;width:300px;height:900px}',
      `<nav>menu</nav>${scrolling}`,
    ),
    1500,
  ],
  'a menu beside a page that a consent banner has locked': [
    page(
      'html,body{overflow:hidden;height:100%}body{position:relative}nav{position:absolute;top:0;left:100%;width:300px;height:900px}',
      `<nav>menu</nav>${scrolling}<div style="position:fixed;bottom:0;left:0;right:0;height:80px">We use cookies. <button>Accept all</button></div>`,
    ),
    1500,
  ],
  'a side menu that scrolls': [
    page(
      'nav{position:fixed;inset:0 auto 0 0;width:150px;overflow:auto}',
      `<nav><div style="height:9000px">menu</div></nav>${scrolling}`,
    ),
    1500,
  ],
  'an application that keeps a panel below the viewport': [
    page(
      'html,body{height:100%;overflow:hidden}body{position:relative}.panel{position:absolute;top:100%;height:900px;width:100%;background:red}',
      '<main><h1>Harbour</h1></main><div class="panel">Filters</div>',
    ),
    HEIGHT,
  ],
  'a first screen that cuts what overflows': [
    page('.hero{height:100vh;overflow:hidden}', `<div class="hero"><div style="height:3000px">art</div></div>`),
    HEIGHT,
  ],
  'a carousel': [
    page(
      '.row{height:100vh;display:flex;overflow-x:auto;scroll-snap-type:x mandatory}.row>*{flex:0 0 100%}',
      `<div class="row"><b>one</b><b>two</b><b>three</b></div>`,
    ),
    HEIGHT,
  ],
  'a dialog that scrolls': [
    page(
      'html{overflow:hidden}',
      `<p>Harbour</p><dialog open style="inset:0;height:350px;width:500px;overflow:auto;padding:0"><div style="height:3000px">terms</div></dialog>`,
    ),
    HEIGHT,
  ],
  'a text field that fills the page': [
    page(
      'textarea{display:block;width:100%;height:100vh;box-sizing:border-box}',
      `<textarea>${'note\n'.repeat(500)}</textarea>`,
    ),
    HEIGHT,
  ],
  'a map': [
    page(
      '.map{position:relative;height:100vh;overflow:hidden}',
      '<div class="map"><div style="position:absolute;width:3000px;height:3000px;left:-500px;top:-500px">tiles</div></div>',
    ),
    HEIGHT,
  ],
  'a map with names of places': [
    page(
      '.map{position:fixed;inset:0;overflow:hidden}.tiles{position:absolute;left:-500px;top:-500px}.tiles b{position:absolute}',
      `<div class="map"><div class="tiles">${Array.from({ length: 20 }, (_, n) => `<b style="left:${n * 90}px;top:${n * 150}px">Harbour ${n}</b>`).join('')}</div></div>`,
    ),
    HEIGHT,
  ],
  'a menu below the screen that is moved in': [
    page(
      'html,body{height:100%;overflow:hidden}nav{position:fixed;top:100%;left:0;right:0;height:100%;background:#eee}',
      `<h1>Harbour</h1><nav>${'<p>Tides of the day</p>'.repeat(9)}</nav>`,
    ),
    HEIGHT,
  ],
  'a carousel that cuts its slides off': [
    page(
      '.row{height:100vh;overflow:hidden}.track{display:flex;height:100%;transform:translate3d(0,0,0)}.track>*{flex:0 0 100%}',
      `<div class="row"><div class="track">${'<div>The tide gauge was read again.</div>'.repeat(5)}</div></div>`,
    ),
    HEIGHT,
  ],
  'a headline that is cut off': [
    page(
      '.hero{height:100vh;overflow:hidden}.hero b{display:block;font-size:900px;line-height:1}',
      '<div class="hero"><b>Tides</b></div>',
    ),
    HEIGHT,
  ],
  'a slide show of one screen': [
    page(
      'body{overflow:hidden}.deck{height:100vh;position:relative;overflow:hidden}.deck section{position:absolute;inset:0}.deck section+section{visibility:hidden;transform:translateY(100%)}',
      `<div class="deck">${'<section>The tide gauge was read again.</section>'.repeat(12)}</div>`,
    ),
    HEIGHT,
  ],
  'an application in a closed shadow root that fits': [
    page(
      'app-page{display:block;height:100vh}',
      `<app-page></app-page>${script(`document.querySelector('app-page').attachShadow({ mode: 'closed' }).innerHTML = '<b>Harbour</b>'`)}`,
    ),
    HEIGHT,
  ],
  'an article with a table that scrolls': [
    page(
      '.table{height:300px;overflow:auto}',
      `<div class="table"><div style="height:9000px">table</div></div>${scrolling}`,
    ),
    1800,
  ],
}

const hero = '<div class="hero"></div>'
const frame = (path: string, styles = '', attributes = '') =>
  `<iframe src="{o}${path}" ${attributes} style="display:block;border:0;width:300px;height:150px;${styles}"></iframe>`
const below = `${hero}<div style="height:600px"></div>`
/** 150 CSS pixels of lime from 1,000 on. */
const frames: Record<string, [content: string, styles?: string]> = {
  'a frame far down': [below + frame('/player')],
  'a lazy frame': [below + frame('/player', '', 'loading="lazy"')],
  'a frame of another port': [below + frame('/player')],
  'a frame that shows its content when it is in sight': [below + frame('/reveal')],
  'a frame in another': [below + frame('/nested')],
  'a frame with a slow image': [below + frame('/slow')],
  'a frame under a fixed header': [
    `<header style="position:fixed;inset:0 0 auto;height:200px;background:blue"></header>${below}${frame('/tall', 'height:1000px')}`,
  ],
  'a frame in a box that scrolls': [
    `<main>${below}${frame('/player')}<div style="height:500px"></div></main>`,
    'html,body{height:100%;overflow:hidden}main{height:100%;overflow:auto}',
  ],
  'a frame in a shadow root': [
    `${below}<x-player></x-player><script>customElements.define('x-player', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '${frame('/player')}' } })</script>`,
  ],
  'a frame on a page that watches its size': [
    `${below}${frame('/player')}<script>addEventListener('resize', () => { if (innerHeight > 400) document.body.textContent = '' })</script>`,
    '@media (min-height: 500px) { iframe { display: none } }',
  ],
}

const listScript = (draw: string, target: string) =>
  script(`const draw = () => { ${draw} }; ${target}.addEventListener('scroll', draw); draw()`)
const rowOf = (i: string) => `(${i} % 2 ? '#f00' : '#0f0')`
/** 40 rows of 100 CSS pixels, red and lime in turns, of which the script renders few; `from` is where the list begins. */
const lists: Record<string, { html: string; from: number }> = {
  'positioned rows in the flow of the page': {
    html: page(
      '#list{position:relative;height:4000px}#list p{position:absolute;left:0;right:0;height:100px;margin:0}',
      `<h1 style="height:500px;margin:0">Harbour</h1><div id="list"></div>${listScript(
        `const first = Math.floor(Math.max(0, scrollY - 500) / 100)
         list.innerHTML = ''
         for (let i = first; i < Math.min(40, first + 8); i++)
           list.insertAdjacentHTML('beforeend', '<p style="top:' + i * 100 + 'px;background:' + ${rowOf('i')} + '">row ' + i)`,
        'window',
      )}`,
    ),
    from: 500,
  },
  'rows in a shadow root': {
    html: page(
      'x-list{display:block}',
      `<h1 style="height:500px;margin:0">Harbour</h1><x-list></x-list>${script(
        `const root = document.querySelector('x-list').attachShadow({ mode: 'open' })
         root.innerHTML = '<style>p{position:absolute;left:0;right:0;height:100px;margin:0}</style><div style="position:relative;height:4000px"></div>'
         const list = root.querySelector('div')
         const draw = () => {
           const first = Math.floor(Math.max(0, scrollY - 500) / 100)
           list.textContent = ''
           for (let i = first; i < Math.min(40, first + 8); i++)
             list.insertAdjacentHTML('beforeend', '<p style="top:' + i * 100 + 'px;background:' + ${rowOf('i')} + '">row ' + i)
         }
         addEventListener('scroll', draw)
         draw()`,
      )}`,
    ),
    from: 500,
  },
  'rows between paddings in an application in a shadow root': {
    html: page(
      'html,body{height:100%;overflow:hidden}',
      `<x-app></x-app>${script(
        `const root = document.querySelector('x-app').attachShadow({ mode: 'open' })
         root.innerHTML = '<style>main{height:100vh;overflow-y:auto}p{height:100px;margin:0}div{position:relative}</style><main><div></div></main>'
         const [main, list] = [root.querySelector('main'), root.querySelector('div')]
         const draw = () => {
           const first = Math.floor(main.scrollTop / 100), last = Math.min(40, first + 6)
           list.style.padding = first * 100 + 'px 0 ' + (40 - last) * 100 + 'px'
           list.innerHTML = Array.from({ length: last - first }, (_, n) => '<p style="background:' + ${rowOf('(first + n)')} + '">row ' + (first + n)).join('')
         }
         main.addEventListener('scroll', draw)
         draw()`,
      )}`,
    ),
    from: 0,
  },
  'rows between paddings': {
    html: page(
      '#list p{height:100px;margin:0}',
      `<div id="list"></div>${listScript(
        `const first = Math.floor(scrollY / 100), last = Math.min(40, first + 6)
         list.style.padding = first * 100 + 'px 0 ' + (40 - last) * 100 + 'px'
         list.innerHTML = Array.from({ length: last - first }, (_, n) => '<p style="background:' + ${rowOf('(first + n)')} + '">row ' + (first + n)).join('')`,
        'window',
      )}`,
    ),
    from: 0,
  },
  'rows in a box that is moved': {
    html: page(
      '#outer{position:relative;height:4000px}#list{position:absolute;inset:0 0 auto}#list p{height:100px;margin:0}',
      `<div id="outer"><div id="list"></div></div>${listScript(
        `const first = Math.floor(scrollY / 100), last = Math.min(40, first + 6)
         list.style.transform = 'translateY(' + first * 100 + 'px)'
         list.innerHTML = Array.from({ length: last - first }, (_, n) => '<p style="background:' + ${rowOf('(first + n)')} + '">row ' + (first + n)).join('')`,
        'window',
      )}`,
    ),
    from: 0,
  },
  'a list that scrolls itself and knows its height in advance': {
    html: page(
      'body{overflow:hidden}#scroll{height:100vh;overflow-y:auto}#list{position:relative;height:4000px}#list p{position:absolute;left:0;right:0;height:100px;margin:0}',
      `<div id="scroll"><ul id="list"></ul></div><style>ul{margin:0;padding:0}</style>${listScript(
        `const first = Math.floor(scroll.scrollTop / 100)
         list.textContent = ''
         for (let i = first; i < Math.min(40, first + 6); i++)
           list.insertAdjacentHTML('beforeend', '<p style="transform:translateY(' + i * 100 + 'px);background:' + ${rowOf('i')} + '">row ' + i)`.replaceAll(
          'scroll.',
          "document.getElementById('scroll').",
        ),
        "document.getElementById('scroll')",
      )}`,
    ),
    from: 0,
  },
  'rows that are used again': {
    html: page(
      '#list{position:relative;height:4000px}#list p{position:absolute;left:0;right:0;height:100px;margin:0}',
      `<div id="list">${'<p></p>'.repeat(7)}</div>${listScript(
        `const first = Math.floor(scrollY / 100)
         for (let i = first; i < first + 7; i++) {
           const row = list.children[i % 7]
           row.style.transform = 'translateY(' + i * 100 + 'px)'
           row.style.background = ${rowOf('i')}
           row.style.display = i < 40 ? '' : 'none'
           row.textContent = 'row ' + i
         }`,
        'window',
      )}`,
    ),
    from: 0,
  },
  'tiles in two columns': {
    html: page(
      '#list{position:relative;height:4000px}#list p{position:absolute;width:50%;height:100px;margin:0}',
      `<div id="list"></div>${listScript(
        `const first = Math.floor(scrollY / 100)
         list.innerHTML = ''
         for (let i = first; i < Math.min(40, first + 6); i++)
           for (const left of [0, 50])
             list.insertAdjacentHTML('beforeend', '<p style="left:' + left + '%;top:' + i * 100 + 'px;background:' + ${rowOf('i')} + '">tile ' + i)`,
        'window',
      )}`,
    ),
    from: 0,
  },
}

/** Its rows are replaced when they come into sight, and stay. */
const rebuilt = page(
  'p{height:100px;margin:0;background:red}',
  `<div id="list">${'<p>loading</p>'.repeat(12)}</div><p style="height:900px;background:blue">more</p>
  ${script(`addEventListener('scroll', () => { list.innerHTML = '<p>row</p>'.repeat(12) }, { once: true })`)}`,
)

/** Layers that move more slowly than the page. */
const parallax = page(
  'section{position:relative;height:1600px;overflow:hidden}section p{position:absolute;left:0;right:0;height:100px;margin:0;background:red}',
  `<section>${[0, 1, 2, 3].map((n) => `<p style="top:${n * 100}px">layer ${n}</p>`).join('')}</section>
  ${script(`addEventListener('scroll', () => { for (const layer of document.querySelectorAll('section p')) layer.style.transform = 'translateY(' + scrollY / 2 + 'px)' })`)}`,
)
/** A table between two rows that are as tall as those that are missing. */
const table = page(
  'table{width:100%;border-spacing:0}td{padding:0;height:100px}',
  `<table><tbody id="list"></tbody></table>${listScript(
    `const first = Math.floor(scrollY / 100), last = Math.min(40, first + 6)
     list.innerHTML = '<tr style="height:' + first * 100 + 'px"></tr>' + Array.from({ length: last - first }, (_, n) => '<tr><td>row ' + (first + n)).join('') +
       '<tr style="height:' + (40 - last) * 100 + 'px"></tr>'`,
    'window',
  )}`,
)

/** Rows of 200 CSS pixels, ten with each request, until there are `count`. */
const feedScript = (count: number, onEnd: string) =>
  script(`let [shown, isBusy] = [0, false]
    const add = () => { for (let i = 0; i < 10; i++) feed.insertAdjacentHTML('beforeend', '<p style="height:200px;margin:0;background:' + (++shown === ${count} ? 'lime' : 'red') + '">row ' + shown) }
    const load = async () => {
      if (isBusy || shown >= ${count}) return
      isBusy = true
      await fetch('/rows-of-feed?' + shown)
      add()
      isBusy = false
    }
    add()
    ${onEnd}`)
const onEndInSight = `let end = document.querySelector('footer'), seen = new IntersectionObserver(async ([entry]) => {
  if (!entry.isIntersecting) return
  await load()
  seen.unobserve(end)
  seen.observe(end)
})
seen.observe(end)`
const feed = '<div id="feed"></div><footer style="height:40px">Imprint</footer>'
const feeds: Record<string, string> = {
  'rows when the end of a page is in sight': page('', feed + feedScript(40, onEndInSight)),
  'rows when the page scrolls': page(
    '',
    feed +
      feedScript(
        40,
        `addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.offsetHeight - 100) load() })`,
      ),
  ),
  'rows when an application scrolls': page(
    'html,body{height:100%;overflow:hidden}main{height:100%;overflow:auto}',
    `<main>${feed}</main>${feedScript(40, onEndInSight)}`,
  ),
}

const BLANK = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
let placeholders = 0
/** A script loads what is in sight once scrolling has stopped. */
const lazyScript = script(`let timer; const load = () => {
  for (const each of document.querySelectorAll('[data-src],[data-srcset]')) {
    const { top, bottom } = (each.closest('picture')?.querySelector('img') ?? each).getBoundingClientRect()
    if (top < innerHeight && bottom > 0) for (const name of ['src', 'srcset']) if (each.dataset[name]) each[name] = each.dataset[name]
  }
}
addEventListener('scroll', () => { clearTimeout(timer); timer = setTimeout(load, 250) })
load()`)
const lazyPage = (image: string) =>
  page('img{display:block;width:600px;height:400px}', `<main>${image.repeat(6)}</main>${lazyScript}`)
/** 2,400 CSS pixels of lime. */
const lazyImages: Record<string, string> = {
  'the same image in all places': lazyPage('<img src="/red.svg" data-src="/lime.svg">'),
  'an image that is named for it': lazyPage('<img src="/placeholder.svg" data-src="/lime.svg">').replaceAll(
    'placeholder.svg',
    () => `placeholder.svg?${++placeholders}`,
  ),
  'a small preview': lazyPage('<img src="/small.svg" data-src="/lime.svg">').replaceAll(
    'small.svg',
    () => `small.svg?${++placeholders}`,
  ),
  'a source of a picture': lazyPage(
    `<picture><source data-srcset="/lime.svg" media="(min-width:1px)"><img src="${BLANK}"></picture>`,
  ),
}

/** Six rooms beside each other, whose images load when they are in sight. */
const sideways = (attributes = '') =>
  page(
    'body{display:flex;width:3600px}img{display:block;width:600px;height:400px;flex:none}',
    `${`<img src="${BLANK}" data-later="/lime.svg">`.repeat(6)}${script(`const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) target.src = target.dataset.later })
    for (const each of document.images) seen.observe(each)`)}`,
  ).replace('<html', `<html ${attributes}`)

let test: TestBrowser
let other: LocalSite
const pathOf = (name: string) => `/${name.replaceAll(/\W+/g, '-')}`
const svg = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="1000"><rect width="600" height="1000" fill="${fill}"/></svg>`
let samePlace: LocalSite
beforeAll(async () => {
  const image = (fill: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg(fill))
  other = await localSite(
    {
      '/player': '<!doctype html><body style="margin:0;background:lime">',
      '/reveal': `<!doctype html><body style="margin:0"><p style="height:150px;margin:0"></p><script>new IntersectionObserver(([entry]) => {
        if (entry.isIntersecting) document.body.style.background = 'lime' }).observe(document.querySelector('p'))</script>`,
      '/tall': '<!doctype html><body style="margin:0;background:lime"><p style="height:1000px;margin:0">',
      '/nested':
        '<!doctype html><body style="margin:0"><iframe src="/player" style="border:0;width:100%;height:150px">',
      '/slow':
        '<!doctype html><body style="margin:0"><img src="/slow.svg" style="display:block;width:100%;height:150px">',
      '/slow.svg': (_, response) => void setTimeout(() => image('lime')(_, response), 300),
    },
    0,
    '127.0.0.2',
  )
  const framed = (name: string, [content, styles]: [string, string?]) => {
    const origin = name.includes('port') ? samePlace.url : other.url
    return page(`.hero{height:100vh;background:blue}${styles ?? ''}`, content.replaceAll('{o}', origin))
  }
  samePlace = await localSite({ '/player': '<!doctype html><body style="margin:0;background:lime">' })
  test = await startTestBrowser(
    {
      ...Object.fromEntries(Object.entries(lists).map(([name, { html }]) => [pathOf(name), html])),
      '/menu': page('', 'menu'),
      '/long': page('', '<p style="height:27000px;margin:0">'),
      '/main': page('', rows),
      '/rebuilt': rebuilt,
      '/parallax': parallax,
      '/table': table,
      '/embedded': page(
        'html,body{height:100%;overflow:hidden}iframe{display:block;border:0;width:100%;height:calc(100% - 60px)}',
        `${header}<iframe src="${other.url}/tall"></iframe>`,
      ),
      ...Object.fromEntries(Object.entries(frames).map(([name, frame]) => [pathOf(name), framed(name, frame)])),
      ...Object.fromEntries(Object.entries(layouts).map(([name, { html }]) => [pathOf(name), html])),
      ...Object.fromEntries(Object.entries(feeds).map(([name, html]) => [pathOf(name), html])),
      '/endless': page('', feed + feedScript(1_000, onEndInSight)),
      '/rows-of-feed': ({ url }, response) => void setTimeout(() => response.end(), url?.endsWith('?10') ? 250 : 30),
      ...Object.fromEntries(Object.entries(backdrops).map(([name, html]) => [pathOf(name), html])),
      ...Object.fromEntries(Object.entries(ordinary).map(([name, [html]]) => [pathOf(name), html])),
      ...Object.fromEntries(Object.entries(lazyImages).map(([name, html]) => [pathOf(name), html])),
      '/placeholder.svg': image('gray'),
      '/small.svg': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'image/svg+xml' })
          .end(svg('gray').replace('width="600" height="1000"', 'width="60" height="40"')),
      '/red.svg': image('red'),
      '/lime.svg': image('lime'),
    },
    { allowTargets: [other.host, samePlace.host] },
  )
}, 60_000)
afterAll(() => Promise.all([test.close(), other.close(), samePlace.close()]))

const fullPage = { screenshot: { fullPage: true, type: 'png' }, ...small }
const [first, second, third, ...others] = Object.keys(layouts)
const [firstList, ...otherLists] = Object.keys(lists)
const [firstFrame, ...otherFrames] = Object.keys(frames)
const [firstLazy, ...otherLazy] = Object.keys(lazyImages)
const [firstFeed, ...otherFeeds] = Object.keys(feeds)
const [firstBackdrop, ...otherBackdrops] = Object.keys(backdrops)
const [firstOrdinary, ...otherOrdinary] = Object.keys(ordinary)

describe('a whole page', () => {
  it('shows all of a page of another site that fills it', async () => {
    const capture = await test.capture('/embedded', fullPage)
    expect(capture).toMatchObject({ width: WIDTH, height: 1_060, warnings: [] })
    for (const y of [70, 500, 1_050]) expect(isLike(await pixelAt(capture.bytes, 300, y), GREEN), `at ${y}`).toBe(true)
  })

  it.each([first!, second!, third!, ...slowCases(...others)])('shows all that scrolls in %s', async (name) => {
    const { height, colours = [], warning } = layouts[name]!
    const capture = await test.capture(pathOf(name), fullPage)
    expect(capture).toMatchObject({ width: WIDTH, height, warnings: warning ? [expect.stringMatching(warning)] : [] })
    const expected = colours.length ? colours : [[height - 50, GREEN] as const, [height - 150, RED] as const]
    for (const [y, colour] of expected)
      expect(isLike(await pixelAt(capture.bytes, 300, y), colour), `at ${y}`).toBe(true)
  })

  it.each([{ fullPage: true }, ...slowCases({ clip: '0,0,600,1500' })])(
    'keeps the dialog that a click has opened: %o',
    async (part) => {
      test.site.routes['/opened'] = page(
        'dialog{border:0;width:200px;height:200px;background:lime}',
        `<button onclick="terms.showModal()">Terms</button><main id="story">${sentences}</main>
      <dialog id="terms"><h2>Terms</h2><button>Close</button></dialog>`,
      )
      const query = { screenshot: { type: 'png', ...part }, click: 'button', ...small }
      const { bytes } = await test.capture('/opened', query)
      expect(isLike(await pixelAt(bytes, 300, 250), GREEN)).toBe(true)
    },
  )

  slowIt('says if it is longer than what is scrolled, and is not cut off', async () => {
    const capture = await test.capture('/long', fullPage)
    const warnings = [expect.stringMatching(/^fullPage: the page is too long to be scrolled to its end/)]
    expect(capture).toMatchObject({ width: WIDTH, height: 27_000, warnings })
  })

  it.each([firstOrdinary!, ...slowCases(...otherOrdinary)])('keeps its size with %s', async (name) => {
    const capture = await test.capture(pathOf(name), fullPage)
    expect(capture).toMatchObject({ width: WIDTH, height: ordinary[name]![1], warnings: [] })
  })

  it.each([
    ['fixed bar', `.bar{position:fixed;left:0;right:0;bottom:0;height:60px;background:blue}`, 1_970],
    ...slowCases<[string, string, number]>(
      ['button', '.bar{position:fixed;right:280px;bottom:20px;width:60px;height:60px;background:blue}', 1_950],
      ['sticky bar', '.bar{position:sticky;bottom:0;height:60px;background:blue}', 2_030],
    ),
  ])('shows at its end a %s that stays at the bottom of the viewport', async (_, styles, y) => {
    test.site.routes['/bar'] = page(styles, `${rows}<nav class="bar"></nav>`)
    const { bytes, warnings } = await test.capture('/bar', fullPage)
    expect(warnings).toEqual([])
    expect(isLike(await pixelAt(bytes, 300, y), BLUE)).toBe(true)
    for (const at of [345, 370, 395]) expect(isLike(await pixelAt(bytes, 300, at), RED), `at ${at}`).toBe(true)
  })

  it.each([firstLazy!, ...slowCases(...otherLazy)])('loads images whose place is kept by %s', async (name) => {
    const capture = await test.capture(pathOf(name), fullPage)
    expect(capture).toMatchObject({ height: 2_400, warnings: [] })
    for (let y = 200; y < 2_400; y += 400)
      expect(isLike(await pixelAt(capture.bytes, 300, y), GREEN), `at ${y}`).toBe(true)
  })

  slowIt('keeps images that have another URL as well, such as a larger one', async () => {
    const images = [1, 2, 3, 4].map((n) => `<img src="/red.svg?${n}" data-src="/lime.svg">`).join('')
    test.site.routes['/zoom'] = page('img{display:block;width:600px;height:400px}', images)
    const { bytes } = await test.capture('/zoom', fullPage)
    expect(isLike(await pixelAt(bytes, 300, 1_500), RED)).toBe(true)
  })

  it.each(['', ...slowCases('dir="rtl"')])('loads what is beside its first screen (%s)', async (attributes) => {
    test.site.routes['/sideways'] = sideways(attributes)
    const capture = await test.capture('/sideways', fullPage)
    expect(capture).toMatchObject({ width: 3_600, height: 400, warnings: [] })
    for (let x = 300; x < 3_600; x += 600)
      expect(isLike(await pixelAt(capture.bytes, x, 200), GREEN), `at ${x}`).toBe(true)
  })

  it.each([firstFeed!, ...slowCases(...otherFeeds)])('shows what a feed fetches: %s', async (name) => {
    const capture = await test.capture(pathOf(name), fullPage)
    expect(capture).toMatchObject({ height: 8_040, warnings: [] })
    expect(isLike(await pixelAt(capture.bytes, 300, 7_950), GREEN)).toBe(true)
  })

  slowIt('says if a feed has more than what is scrolled', async () => {
    const { warnings, height } = await test.capture('/endless', fullPage)
    expect(warnings).toEqual([expect.stringMatching(/^fullPage: the page is too long to be scrolled to its end/)])
    expect(height).toBeGreaterThanOrEqual(64 * HEIGHT)
    expect(height).toBeLessThan(70 * HEIGHT)
  })

  it.each([firstBackdrop!, ...slowCases(...otherBackdrops)])('has behind all of it %s', async (name) => {
    const capture = await test.capture(pathOf(name), fullPage)
    expect(capture).toMatchObject({ width: WIDTH, height: 2_000, warnings: [] })
    for (const y of [50, 390, 410, 1_000, 1_950])
      expect(isLike(await pixelAt(capture.bytes, 300, y), GREEN), `at ${y}`).toBe(true)
  })

  slowIt('keeps what fills the viewport in front of it at its size', async () => {
    test.site.routes['/front'] = page(
      '.front{position:fixed;inset:0;pointer-events:none;z-index:1;border:10px solid lime;box-sizing:border-box}',
      `<div class="front"></div>${rows}`,
    )
    const { bytes, height } = await test.capture('/front', fullPage)
    expect(height).toBe(2_000)
    expect(isLike(await pixelAt(bytes, 300, HEIGHT - 5), GREEN)).toBe(true)
    expect(isLike(await pixelAt(bytes, 5, HEIGHT + 50), RED)).toBe(true)
  })

  it.each([firstFrame!, ...slowCases(...otherFrames)])('shows %s', async (name) => {
    const { bytes, warnings } = await test.capture(pathOf(name), fullPage)
    expect(warnings).toEqual([])
    const colourAt = (y: number) => pixelAt(bytes, 250, y)
    expect(isLike(await colourAt(HEIGHT - 5), BLUE), 'hero').toBe(true)
    for (const y of [1_005, 1_075, 1_145]) expect(isLike(await colourAt(y), GREEN), `at ${y}`).toBe(true)
    expect(isLike(await colourAt(990), GREEN), 'above it').toBe(false)
  })

  it.each([firstList!, ...slowCases(...otherLists)])(
    'shows the rows that a list renders on scroll: %s',
    async (name) => {
      const { from } = lists[name]!
      const capture = await test.capture(pathOf(name), fullPage)
      expect(capture).toMatchObject({ height: from + 4_000, warnings: [] })
      for (const row of [0, 1, 9, 10, 20, 21, 33, 38, 39])
        for (const x of [250, 550])
          for (const y of [3, 97]) {
            const colour = await pixelAt(capture.bytes, x, from + 100 * row + y)
            expect(isLike(colour, row % 2 ? RED : GREEN), `row ${row} at ${x}, ${y}`).toBe(true)
          }
    },
  )

  it.each([
    [
      'zooms out to show a wide page',
      '<meta name="viewport" content="width=device-width,initial-scale=1">',
      700,
      2_600,
    ],
    ...slowCases<[string, string, number, number]>(
      ['shows a part of a wide page', '<meta name="viewport" content="width=device-width,initial-scale=1">', 700, 900],
      ['has a page without a viewport of its own', '', 980, 2_600],
    ),
  ])('shows a frame of another site on a phone that %s', async (name, meta, width, top) => {
    const wide = `<div style="width:700px;height:${top}px;background:blue"></div>`
    test.site.routes[pathOf(name)] = page('', `${meta}${wide}<div>${frame('/player')}</div>`).replaceAll(
      '{o}',
      other.url,
    )
    const phone = {
      screenshot: { type: 'png', fullPage: true },
      device: 'iPhone 14',
      viewport: { deviceScaleFactor: 1 },
    }
    const capture = await test.capture(pathOf(name), phone)
    expect(capture).toMatchObject({ width, warnings: [] })
    for (const y of [10, 140]) expect(isLike(await pixelAt(capture.bytes, 150, top + y), GREEN), `at ${y}`).toBe(true)
  })

  slowIt('says that it has more frames of other sites than are painted', async () => {
    test.site.routes['/frames'] = page(
      '',
      `<div class="hero" style="height:100vh"></div>${frame('/player', 'height:40px').repeat(25)}`.replaceAll(
        '{o}',
        other.url,
      ),
    )
    const { warnings, height, bytes } = await test.capture('/frames', fullPage)
    expect([height, warnings]).toEqual([
      HEIGHT + 25 * 40,
      ['The page has more frames of other sites than the screenshot shows.'],
    ])
    expect(isLike(await pixelAt(bytes, 100, HEIGHT + 19 * 40 + 20), GREEN)).toBe(true)
  })

  slowIt('keeps its size with rows that are replaced once', async () => {
    expect(await test.capture('/rebuilt', fullPage)).toMatchObject({ height: 2_100, warnings: [] })
  })

  slowIt('does not repeat what moves while the page is scrolled', async () => {
    const capture = await test.capture('/parallax', fullPage)
    expect(capture).toMatchObject({ height: 1_600, warnings: [] })
    expect(isLike(await pixelAt(capture.bytes, 300, 350), RED)).toBe(true)
    for (const y of [450, 650, 850, 1_100]) expect(isLike(await pixelAt(capture.bytes, 300, y), RED)).toBe(false)
  })

  slowIt('says that a table shows a part of its rows', async () => {
    const { warnings } = await test.capture('/table', fullPage)
    expect(warnings).toEqual([expect.stringContaining('a list renders only the rows in sight')])
  })
})
