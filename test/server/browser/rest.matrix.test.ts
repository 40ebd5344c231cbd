// Covers what scripts move, fade in, draw and show on scroll: it is captured at its end, and pages that only look like that stay as
// they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../../local-site.js'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const small = { viewport: { width: 600, height: 400, deviceScaleFactor: 1 } }
const WHITE = [255, 255, 255]
const RED = [255, 0, 0]
const GREEN = [0, 255, 0]
const BLUE = [0, 0, 255]

const page = (styles: string, body: string) =>
  `<!doctype html><html lang="en"><title>Harbour</title><style>body{margin:0;min-height:400px}${styles}</style><body>${body}`
const script = (code: string) => `<script>${code}</script>`
/** Moves a value from 0 to 1 within some milliseconds, frame by frame, as GSAP and Framer Motion do. */
const tween = `const tween = (ms, draw, then) => { const start = performance.now()
  const step = () => { const part = Math.min(1, (performance.now() - start) / ms); draw(part); if (part < 1) requestAnimationFrame(step); else then?.() }
  step() }
`
const box = (attributes = '') => `<div ${attributes}><p>Nobody knows who painted the cranes.</p></div>`
const boxStyles = '#box{height:400px;background:red;overflow:hidden}'

interface Case {
  html: string
  query?: Record<string, unknown>
  /** What the image shows at some points. */
  colours: [x: number, y: number, colour: number[]][]
}

const moving: Record<string, Case> = {
  'a hero that fades in after it was hydrated': {
    html: page(
      boxStyles,
      `${box('id="box" style="opacity:0;transform:translateY(40px)"')}${script(`${tween}
        setTimeout(() => tween(500, (part) => { box.style.opacity = part; box.style.transform = \`translateY(\${(1 - part) * 40}px)\` }), 350)`)}`,
    ),
    colours: [
      [300, 5, RED],
      [300, 390, RED],
    ],
  },
  'a veil that a script fades out': {
    html: page(
      `${boxStyles}#veil{position:fixed;inset:0;background:lime}`,
      `${box('id="box"')}<div id="veil"></div>${script(`${tween}
        addEventListener('load', () => tween(600, (part) => { veil.style.opacity = 1 - part }, () => veil.remove()))`)}`,
    ),
    colours: [[300, 200, RED]],
  },
  'a chart that is drawn step by step': {
    html: page(
      '',
      `<canvas id="chart" width="600" height="400"></canvas>${script(`${tween}
        const context = chart.getContext('2d')
        addEventListener('load', () => tween(800, (part) => {
          context.clearRect(0, 0, 600, 400); context.fillStyle = 'red'; context.fillRect(0, 400 - 400 * part, 600, 400 * part) }))`)}`,
    ),
    colours: [[300, 10, RED]],
  },
  'what a component draws, counts and fades in': {
    html: page(
      'x-chart{display:block}',
      `<x-chart></x-chart>${script(`${tween}customElements.define('x-chart', class extends HTMLElement { connectedCallback() {
        const root = this.attachShadow({ mode: 'open' })
        root.innerHTML = '<canvas width="600" height="100"></canvas><div style="height:100px;background:red"></div><p style="margin:0;height:100px;background:red">Cranes</p>'
        const [canvas, bar, text] = root.children
        const context = canvas.getContext('2d')
        context.fillStyle = 'red'
        canvas.style.display = 'block'
        tween(1000, (part) => { context.fillRect(0, 0, 600 * part, 100); bar.style.width = 600 * part + 'px'; text.style.opacity = part }) } })`)}`,
    ),
    colours: [
      [590, 50, RED],
      [590, 150, RED],
      [590, 290, RED],
    ],
  },
  'a text that is typed': {
    html: page(
      '#text{font:10px/40px monospace;color:red;white-space:nowrap}',
      `<div id="text"></div>${script(`let count = 0
        const type = () => { text.textContent = '█'.repeat(++count); if (count < 40) setTimeout(type, 15) }
        type()`)}`,
    ),
    colours: [[230, 20, RED]],
  },
  'a drawer that a click opens': {
    html: page(
      '#drawer{position:fixed;top:0;right:0;width:300px;height:400px;background:red;transform:translateX(300px)}',
      `<button id="open">Menu</button><div id="drawer">Home</div>${script(`${tween}
        document.getElementById('open').onclick = () => tween(600, (part) => { drawer.style.transform = \`translateX(\${(1 - part) * 300}px)\` })`)}`,
    ),
    query: { click: '#open' },
    colours: [[310, 200, RED]],
  },
  'an image that fades in when it has loaded': {
    html: page(
      'img{width:600px;height:400px;display:block;opacity:0}',
      `<img id="photo" class="lazy" src="/red.svg" alt="">${script(`${tween}
        addEventListener('load', () => tween(500, (part) => { photo.style.opacity = part }))`)}`,
    ),
    colours: [[300, 200, RED]],
  },
  'the page behind a preloader': {
    html: page(
      `${boxStyles}#preloader{position:fixed;inset:0;background:white;z-index:9}.spinner{width:40px;height:40px;border:4px solid lime}`,
      `${box('id="box"')}<div id="preloader"><div class="spinner"></div></div>${script(`${tween}
        addEventListener('load', () => setTimeout(() => tween(300, (part) => { preloader.style.opacity = 1 - part }, () => preloader.remove()), 900))`)}`,
    ),
    colours: [[20, 20, RED]],
  },
  'the page behind a preloader that counts, then slides away': {
    html: page(
      `${boxStyles}.loader{position:fixed;inset:0;background:black;color:white;transition:transform 1s}.done{transform:translateY(-100%)}`,
      `${box('id="box"')}<div class="loader"><span id="count">0 %</span></div>${script(`let now = 0
        const timer = setInterval(() => { count.textContent = \`\${now += 5} %\`; if (now < 100) return
          clearInterval(timer); document.querySelector('.loader').classList.add('done') }, 100)`)}`,
    ),
    colours: [[300, 200, RED]],
  },
  'a photo that is faded in after it was loaded apart': {
    html: page(
      'img{display:block;opacity:0}',
      `<div class="slick"><img id="photo" alt=""></div>${script(`${tween}
        addEventListener('load', () => tween(200, () => { photo.style.opacity = 0 }, () => {
          photo.width = 600; photo.height = 400; photo.src = '/red.svg'; tween(400, (part) => { photo.style.opacity = part }) }))`)}`,
    ),
    colours: [[300, 200, RED]],
  },
  'an animation that runs, because animations are enabled': {
    html: page(
      `${boxStyles}@keyframes appear{from{opacity:0}}#box{animation:appear .8s .5s both}`,
      `${box('id="box"')}${script('')}`,
    ),
    query: { animations: true },
    colours: [[300, 200, RED]],
  },
  'a drawing with its own timeline': {
    html: page(
      '',
      `<svg width="600" height="400"><rect width="0" height="400" fill="red"><animate id="grow" attributeName="width" from="0" to="600" begin="0.4s" dur="1s" fill="freeze"/></rect>
      <rect y="300" width="600" height="100" fill="lime" opacity="0"><animate attributeName="opacity" from="0" to="1" begin="grow.end+0.2s" dur="2s" fill="freeze"/></rect></svg>`,
    ),
    colours: [
      [590, 100, RED],
      [300, 350, GREEN],
    ],
  },
}

/** 400 pixels of blue above what is shown on scroll. */
const top = '<div style="height:600px;background:blue">Harbour</div>'
const whole = { screenshot: { fullPage: true, type: 'png' } }
const onSight = (
  enter: string,
  leave = '',
) => `new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries)
  if (isIntersecting) { ${enter} } else { ${leave} } }).observe(box)`

const revealed: Record<string, Case> = {
  'what fades in each time it comes into view': {
    html: page(
      `${boxStyles}[data-aos]{opacity:0;transition:opacity .4s}[data-aos].aos-animate{opacity:1}`,
      `${top}${box('id="box" data-aos="fade-up"')}${script(onSight("target.classList.add('aos-animate')", "target.classList.remove('aos-animate')"))}`,
    ),
    colours: [[300, 900, RED]],
  },
  'a chart that is drawn when it comes into view': {
    html: page(
      'canvas{display:block}',
      `${top}<canvas id="box" width="600" height="400"></canvas>${script(`${tween}
        const context = box.getContext('2d')
        const observer = new IntersectionObserver(([{ isIntersecting }]) => { if (!isIntersecting) return
          observer.disconnect()
          tween(1000, (part) => { context.fillStyle = 'red'; context.fillRect(0, 400 - 400 * part, 600, 400 * part) }) })
        observer.observe(box)`)}`,
    ),
    colours: [[300, 610, RED]],
  },
  'what a component fades in each time it comes into view': {
    html: page(
      'x-part{display:block}',
      `${top}<x-part></x-part>${script(`customElements.define('x-part', class extends HTMLElement { connectedCallback() {
        const root = this.attachShadow({ mode: 'open' })
        root.innerHTML = '<style>div{height:400px;background:red;opacity:0;transition:opacity .4s}.in{opacity:1}</style><div><p>Nobody knows who painted the cranes.</p></div>'
        const part = root.querySelector('div')
        new IntersectionObserver(([{ isIntersecting }]) => part.classList.toggle('in', isIntersecting)).observe(part) } })`)}`,
    ),
    colours: [[300, 900, RED]],
  },
  'lines of a text that slide in, and out again': {
    html: page(
      'h2{margin:0;font-size:0}.line{display:block;overflow:hidden}.line span{display:block;height:200px;background:red;transform:translateY(110%);transition:transform .5s}.in span{transform:none}',
      `${top}<section id="box"><h2><b class="line"><span>Nobody knows</span></b><b class="line"><span>who painted the cranes</span></b></h2></section>
      ${script(onSight("target.classList.add('in')", "target.classList.remove('in')"))}`,
    ),
    colours: [
      [300, 650, RED],
      [300, 900, RED],
    ],
  },
  'a card that grows, and shrinks again': {
    html: page(
      `${boxStyles}#frame{height:400px}`,
      `${top}<div id="frame">${box('id="box" style="transform:scale(0)"')}</div>${script(`${tween}
        new IntersectionObserver(([{ isIntersecting }]) => tween(300, (part) => { box.style.transform = \`scale(\${isIntersecting ? part : 1 - part})\` })).observe(frame)`)}`,
    ),
    colours: [[300, 900, RED]],
  },
  'a picture that is uncovered, and covered again': {
    html: page(
      'section{height:400px}img{display:block;clip-path:inset(0 100% 0 0);transition:clip-path .5s}.in img{clip-path:inset(0)}',
      `${top}<section id="box"><img src="/red.svg" width="600" height="400" alt=""></section>${script(onSight("target.classList.add('in')", "target.classList.remove('in')"))}`,
    ),
    colours: [[300, 900, RED]],
  },
  'what is moved in frame by frame': {
    html: page(
      boxStyles,
      `${top}${box('id="box" style="opacity:0;transform:translateY(60px)"')}${script(`${tween}${onSight('tween(700, (part) => { target.style.opacity = part; target.style.transform = `translateY(${(1 - part) * 60}px)` })')}`)}`,
    ),
    colours: [
      [300, 605, RED],
      [300, 990, RED],
    ],
  },
  'what moves out again when the page scrolls back': {
    html: page(
      boxStyles,
      `${top}${box('id="box" style="opacity:0;transform:translateY(60px)"')}${script(`${tween}
        const show = (to) => tween(300, (part) => { const now = to ? part : 1 - part; box.style.opacity = now; box.style.transform = \`translateY(\${(1 - now) * 60}px)\` })
        ${onSight('show(1)', 'if (box.style.opacity > 0) show(0)')}`)}`,
    ),
    colours: [[300, 605, RED]],
  },
  'large sections that appear once scrolling stops': {
    html: page(
      '.panel{height:400px;background:red;opacity:0}.panel.shown{opacity:1}',
      `${top}<section class="panel"><p>The market</p></section><section class="panel"><p>The quay</p></section>${top}${script(`let timer
        addEventListener('scroll', () => { clearTimeout(timer); timer = setTimeout(() => { for (const panel of document.querySelectorAll('.panel')) {
          const { top, bottom } = panel.getBoundingClientRect(); if (top < innerHeight && bottom > 0) panel.classList.add('shown') } }, 300) })`)}`,
    ),
    colours: [
      [300, 800, RED],
      [300, 1_200, RED],
    ],
  },
  'what is hidden until it was in view for a while': {
    html: page(
      `${boxStyles}.elementor-invisible{visibility:hidden}`,
      `${top}${box('id="box" class="elementor-invisible"')}${script(onSight("setTimeout(() => target.classList.remove('elementor-invisible'), 900)"))}`,
    ),
    colours: [[300, 900, RED]],
  },
  'letters that come one by one': {
    html: page(
      '#box{height:60px;white-space:nowrap}i{display:inline-block;width:30px;height:60px;background:red;opacity:0}',
      `${top}<h2 id="box">${'<i style="opacity:0">a</i>'.repeat(12)}</h2>${script(onSight('[...target.children].forEach((letter, at) => setTimeout(() => { letter.style.opacity = 1 }, 300 + 40 * at))'))}`,
    ),
    colours: [
      [15, 630, RED],
      [345, 630, RED],
    ],
  },
  'a form that fades in, and out again': {
    html: page(
      '#box{height:400px;background:red}#box div{height:100px}',
      `${top}<div id="box" style="opacity:0"><form><div><label>Name</label><input></div></form></div>${script(
        onSight("target.style.opacity = '1'", "target.style.opacity = '0'"),
      )}`,
    ),
    colours: [[300, 900, RED]],
  },
  'paragraphs that fade in, and out again': {
    html: page(
      '#box{height:100px;background:red}',
      `${top}<p id="box" style="margin:0;opacity:0">The tide gauge was read again.</p>${script(
        onSight("target.style.opacity = '1'", "target.style.opacity = '0'"),
      )}${top}`,
    ),
    colours: [[300, 680, RED]],
  },
  'images that load once scrolling stops': {
    html: page(
      'img{display:block;width:600px;height:400px}',
      `${top}<img alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" data-src="/red.svg">${top}
      <div style="height:300px" data-bg="url('/red.svg')"></div>${top}`,
    ),
    colours: [
      [300, 800, RED],
      [300, 1_750, RED],
    ],
  },
  'what a timeline of the view fades in': {
    html: page(
      `${boxStyles}@keyframes rise{from{opacity:0;translate:0 80px}}#box{animation:rise linear both;animation-timeline:view();animation-range:entry 0% cover 40%}`,
      `${top}${box('id="box"')}<div style="height:600px"></div>`,
    ),
    colours: [[300, 605, RED]],
  },
  'what a timeline of the view fades in, with animations': {
    html: page(
      `${boxStyles}@keyframes rise{from{opacity:0}}#box{animation:rise linear both;animation-timeline:view();animation-range:entry}`,
      `${top}${box('id="box"')}<div style="height:600px"></div>`,
    ),
    query: { animations: true },
    colours: [[300, 900, RED]],
  },
  'the first screen behind a preloader': {
    html: page(
      `${boxStyles}#preloader{position:fixed;inset:0;background:white;z-index:9}`,
      `${top}${box('id="box"')}<div id="preloader"><div class="spinner"></div></div>${script(`setTimeout(() => preloader.remove(), 1200)`)}`,
    ),
    colours: [[300, 200, BLUE]],
  },
  'what a timeline of the view fades in and out': {
    html: page(
      `${boxStyles}@keyframes pass{entry 0%{opacity:0}entry 100%{opacity:1}exit 0%{opacity:1}exit 100%{opacity:0}}#box{animation:pass linear both;animation-timeline:view()}`,
      `${top}${box('id="box"')}<div style="height:600px"></div>`,
    ),
    colours: [[300, 800, RED]],
  },
  'the page behind a newsletter that comes on scroll': {
    html: page(
      `${boxStyles}#news{position:fixed;inset:100px;background:lime;z-index:9}`,
      `${top}${box('id="box"')}<p>${'The market opens at six, and by noon the slates are wiped clean. '.repeat(10)}</p>${script(`addEventListener('scroll', () => {
        if (!window.news) document.body.insertAdjacentHTML('beforeend', '<div id="news" class="modal" role="dialog" aria-modal="true"><h2>Subscribe to our newsletter</h2><input type="email"><button aria-label="Close">×</button></div>') })`)}`,
    ),
    colours: [[300, 200, BLUE]],
  },
}

const ordinary: Record<string, Case> = {
  'slides that fade into each other': {
    html: page(
      '.slides{height:400px}.slides div{height:400px;position:relative}.slides div+div{top:-400px;opacity:0}',
      `<div class="slides"><div style="background:red"><p>First slide</p></div><div class="slide animated" style="background:lime;opacity:0"><p>Second slide</p></div></div>`,
    ),
    query: whole,
    colours: [[300, 200, RED]],
  },
  'slides beside the one in sight': {
    html: page(
      '.slides{display:flex;overflow:hidden;height:400px}.slides div{flex:0 0 600px;height:400px}',
      `<div class="slides"><div style="background:red"><p>First slide</p></div><div style="background:lime"><p>Second slide</p></div></div>
      ${script("for (const slide of document.querySelectorAll('.slides div')) slide.style.transform = 'translateX(0px)'")}`,
    ),
    query: whole,
    colours: [[300, 200, RED]],
  },
  'what the pointer moves into a card': {
    html: page(
      '.card{height:300px;background:red;overflow:hidden}.card p{margin:0;height:300px;background:lime;transform:translateY(100%)}.card:hover p{transform:none}',
      `<div style="height:200px"></div><div class="card"><p>Nobody knows who painted the cranes.</p></div>`,
    ),
    query: whole,
    colours: [[150, 230, RED]],
  },
  'what the pointer shows': {
    html: page(
      '.card{height:300px;background:red}.actions{width:300px;height:60px;background:lime;opacity:0}.card:hover .actions{opacity:1}',
      `<div style="height:200px"></div><div class="card"><div class="actions fade">Add to the cart</div></div>`,
    ),
    query: whole,
    colours: [[150, 230, RED]],
  },
  'a bar that shows how far the page was scrolled': {
    html: page(
      '@keyframes grow{from{transform:scaleX(0)}}#bar{position:fixed;top:0;left:0;right:0;height:20px;background:lime;transform-origin:0;animation:grow linear both;animation-timeline:scroll(root)}',
      `<div id="bar"></div>${'<p style="height:300px;margin:0;background:red">text</p>'.repeat(5)}`,
    ),
    colours: [[300, 10, RED]],
  },
  'what never comes to rest': {
    html: page(
      `${boxStyles}#ball{position:fixed;top:0;width:20px;height:20px;background:lime}`,
      `${box('id="box"')}<div id="ball"></div>${script('let at = 0; const step = () => { ball.style.left = `${at++ % 500}px`; requestAnimationFrame(step) }; step()')}`,
    ),
    colours: [[300, 200, RED]],
  },
  'what an animation shows under the pointer': {
    html: page(
      `${boxStyles}@keyframes show{to{opacity:1}}#box{position:relative}#box b{position:absolute;inset:0;background:lime;opacity:0;animation:show .4s forwards paused}#box:hover b{animation-play-state:running}`,
      '<div style="height:100px"></div><div id="box"><b>Shown under the pointer</b></div>',
    ),
    colours: [[300, 200, RED]],
  },
  'a note whose animation waits for a class': {
    html: page(
      '@keyframes out{to{opacity:0}}#note{height:400px;background:red;animation:out 1s forwards paused}#note.bye{animation-play-state:running}',
      '<div id="note">Closed on Monday</div>',
    ),
    colours: [[300, 200, RED]],
  },
  'what an endless animation moves and does not hide': {
    html: page(
      `${boxStyles}@keyframes swing{50%{transform:translateX(300px)}}#box{width:100px;animation:swing 2s infinite}`,
      '<div id="box"></div>',
    ),
    colours: [[50, 200, RED]],
  },
  'what stays hidden during an endless animation': {
    html: page(
      `${boxStyles}@keyframes turn{to{transform:rotate(360deg)}}#wait{position:absolute;inset:0;background:lime;opacity:0;animation:turn 2s infinite}`,
      `${box('id="box"')}<div id="wait"></div>`,
    ),
    colours: [[300, 200, RED]],
  },
  'a panel that scripts keep invisible': {
    html: page(
      `${boxStyles}#hint{height:100px;background:lime;visibility:hidden}`,
      `${box('id="box"')}<div id="hint"><p>Saved</p></div>`,
    ),
    query: whole,
    colours: [[300, 200, RED]],
  },
  'a message below a form': {
    html: page(
      '#sent{height:100px;background:lime;opacity:0}form{height:200px}',
      `<form><input><button>Send</button></form><div id="sent" style="opacity:0"><p>Thank you! Your message has been sent.</p></div>${box('id="box"')}`,
    ),
    query: whole,
    colours: [[300, 250, WHITE]],
  },
  'messages beside fields that a script hides': {
    html: page(
      '.error{height:60px;background:lime;visibility:hidden}input{display:block;height:40px;box-sizing:border-box}',
      `<form>${'<div><input><div class="error">This field is required</div></div>'.repeat(3)}</form>${script(
        "addEventListener('scroll', () => { for (const each of document.querySelectorAll('.error')) each.style.visibility = 'hidden' })",
      )}${top}`,
    ),
    query: whole,
    colours: [
      [300, 70, WHITE],
      [300, 270, WHITE],
    ],
  },
  'a message that is announced': {
    html: page(
      '#status{height:100px;background:lime;transform:translateY(10px);transition:opacity .3s}',
      `<p style="height:100px;margin:0">Harbour</p><div role="status"><p id="status" style="margin:0;opacity:0">Saved</p></div>`,
    ),
    query: whole,
    colours: [[300, 150, WHITE]],
  },
  'what is said once something is copied': {
    html: page(
      'pre{height:100px;margin:0}span{display:block;width:300px;height:60px;background:lime}',
      '<pre>npm i harbour</pre><span style="opacity:0">Copied to clipboard!</span>'.repeat(2),
    ),
    query: whole,
    colours: [
      [200, 130, WHITE],
      [200, 290, WHITE],
    ],
  },
  'a menu that is transparent until it opens': {
    html: page(
      `${boxStyles}#menu{position:absolute;inset:0;background:lime;opacity:0;pointer-events:none}`,
      `${box('id="box"')}<nav id="menu" class="fade-in"><a href="/">Home</a></nav>`,
    ),
    query: whole,
    colours: [[300, 200, RED]],
  },
  'a splash screen that never goes': {
    html: page(
      `${boxStyles}.splash{position:fixed;inset:0;background:lime;z-index:9}`,
      `${box('id="box"')}<div class="splash"><h1>Harbour festival</h1><p>${'From the first to the third of May, on all quays of the town. '.repeat(4)}</p></div>${script('')}`,
    ),
    colours: [[300, 395, GREEN]],
  },
  'a page without scripts': {
    html: page(boxStyles, `${box('id="box"')}<div class="reveal" style="height:200px">below</div>`),
    query: { javascript: false },
    colours: [[300, 200, RED]],
  },
}

/** A component with an open shadow root. */
const component = (html: string) =>
  `<x-part></x-part>${script(`document.querySelector('x-part').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(html)}`)}`
const fade = '@keyframes in{from{opacity:0}}'
const slide = (colour: string, delay: number) =>
  `<li style="background:${colour};animation-delay:${delay}s"><span>Slide</span></li>`
const slideStyles =
  '.slides{position:relative;height:400px;margin:0;padding:0}.slides li{position:absolute;inset:0;opacity:0;animation:show 24s linear infinite}@keyframes show{0%,40%,100%{opacity:0}4%,34%{opacity:1}}'
const COOKIES = 'We use cookies to improve the harbour. <button>Accept all</button> <button>Reject</button>'
const news =
  '<button aria-label="Close">×</button><h2>Join our newsletter</h2><input type="email"><button>Subscribe</button>'
const text = '<p>The market opens at six, and by noon the slates are wiped clean again.</p>'.repeat(8)

const animated: Record<string, Case> = {
  'a component that fades in within its shadow root': {
    html: page(
      '',
      component(`<style>${fade}div{height:400px;background:red;animation:in 30s both}</style><div></div>`),
    ),
    colours: [[300, 200, RED]],
  },
  'a drawing in a shadow root': {
    html: page(
      '',
      component(
        '<svg width="600" height="400"><rect width="0" height="400" fill="red"><animate attributeName="width" from="0" to="600" dur="20s" fill="freeze"/></rect></svg>',
      ),
    ),
    colours: [[590, 200, RED]],
  },
  'frames that fade in, of this site and of another one': {
    html: page(
      'iframe{width:300px;height:400px;border:0;float:left}',
      '<iframe src="/framed"></iframe><iframe src="{other}/framed"></iframe>',
    ),
    colours: [
      [150, 200, RED],
      [450, 200, RED],
    ],
  },
  'the page behind a consent bar that slides in': {
    html: page(
      `${boxStyles}@keyframes up{from{transform:translateY(100%)}}#bar{position:fixed;left:0;right:0;bottom:0;height:100px;background:lime;animation:up 20s both}`,
      `${box('id="box"')}${text}<div id="bar">${COOKIES}</div>`,
    ),
    colours: [[300, 390, RED]],
  },
  'the page behind a consent bar that is moved in by a transition': {
    html: page(
      `${boxStyles}#bar{position:fixed;left:0;right:0;bottom:0;height:100px;background:lime;transform:translateY(110%);transition:transform 20s}#bar.on{transform:none}`,
      `${box('id="box"')}${text}<div id="bar">${COOKIES}</div>${script("addEventListener('load', () => requestAnimationFrame(() => bar.classList.add('on')))")}`,
    ),
    colours: [[300, 390, RED]],
  },
  'the page behind a newsletter that fades in with its veil': {
    html: page(
      `${boxStyles}${fade}#veil{position:fixed;inset:0;background:rgba(0,0,0,.6);animation:in 20s both}#news{position:fixed;inset:100px;background:lime;animation:in 20s 1s both}`,
      `${box('id="box"')}${text}<div id="veil"></div><div id="news" class="modal" role="dialog">${news}</div>`,
    ),
    colours: [
      [300, 395, RED],
      [300, 200, RED],
    ],
  },
}

/** What would be empty, if animations without an end were taken away. */
const endless: Record<string, Case> = {
  'the first of the slides that are transparent except in their turn': {
    html: page(slideStyles, `<ul class="slides">${slide('red', 0)}${slide('lime', 8)}${slide('blue', 16)}</ul>`),
    colours: [[300, 300, RED]],
  },
  'the first of the slides that begin before the page does': {
    html: page(slideStyles, `<ul class="slides">${slide('lime', -8)}${slide('red', 0)}${slide('blue', -16)}</ul>`),
    colours: [[300, 300, RED]],
  },
  'a sign that lights up': {
    html: page(
      '@keyframes on{50%{opacity:1}}#sign{height:400px;background:red;opacity:0;animation:on 2s infinite}',
      '<div id="sign"></div>',
    ),
    colours: [[300, 200, RED]],
  },
  'a text that runs through a bar': {
    html: page(
      '@keyframes run{to{transform:translateX(-100%)}}#bar{overflow:hidden;white-space:nowrap}#bar p{display:inline-block;margin:0;padding-left:100%;animation:run 20s linear infinite}#bar span{display:inline-block;width:400px;height:400px;background:red}',
      '<div id="bar"><p><span></span></p></div>',
    ),
    colours: [[300, 200, RED]],
  },
  'a mark that grows out of nothing': {
    html: page(
      '@keyframes grow{50%{transform:scale(1)}}#mark{height:400px;background:red;transform:scale(0);animation:grow 2s infinite}',
      '<div id="mark"></div>',
    ),
    colours: [[300, 200, RED]],
  },
  'slides of a script': {
    html: page(
      '.slides div{position:absolute;inset:0;opacity:0}',
      `<div class="slides"><div style="background:red"></div><div style="background:lime"></div></div>${script(`document.querySelectorAll('.slides div').forEach((slide, index) =>
        slide.animate({ opacity: [0, 1, 0, 0] }, { duration: 8000, delay: index * 4000, iterations: Infinity }))`)}`,
    ),
    colours: [[300, 200, [255, 26, 26]]],
  },
}

const cases = { ...moving, ...animated, ...revealed, ...endless, ...ordinary }
const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`
let test: TestBrowser
/** Another site, at `{other}`. */
let other: LocalSite
beforeAll(async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="6" height="4"><rect width="6" height="4" fill="red"/></svg>'
  const framed = page(`${fade}div{height:400px;background:red;animation:in 30s both}`, '<div></div>')
  other = await localSite({ '/framed': framed }, 0, '127.0.0.2')
  const routes: Record<string, Route> = {
    '/red.svg': (_request, response) => void response.setHeader('content-type', 'image/svg+xml').end(svg),
    '/framed': framed,
    '/count': page(
      '#box{height:40px}#bar{height:40px;background:red}',
      `${top}${top}<div id="box"><div id="bar" style="width:0"></div></div>${script(`${tween}${onSight("tween(600, (part) => { bar.style.width = 600 * part + 'px' })")}`)}`,
    ),
    '/late': page(
      '#box{height:200px;background:red;opacity:0}',
      `${top}${top}${box('id="box" class="reveal"')}${script(`${tween}${onSight('tween(600, (part) => { target.style.opacity = part })')}`)}`,
    ),
    ...Object.fromEntries(
      Object.entries(cases).map(([name, { html }]) => [pathOf(name), html.replaceAll('{other}', other.url)]),
    ),
  }
  test = await startTestBrowser(routes, { allowTargets: [other.host] })
}, 60_000)
afterAll(async () => {
  await test.close()
  await other.close()
})

async function expectColours(name: string, shared: Record<string, unknown> = {}): Promise<void> {
  const { query, colours } = cases[name]!
  const { bytes } = await test.capture(pathOf(name), { screenshot: { type: 'png' }, ...small, ...shared, ...query })
  for (const [x, y, colour] of colours) {
    const seen = await pixelAt(bytes, x, y)
    expect(isLike(seen, colour), `${x}, ${y}: ${seen.join()}`).toBe(true)
  }
}

describe('a screenshot shows the end of', () => {
  const [first, second, ...others] = Object.keys(moving)
  it.each([first!, second!, ...slowCases(...others)])('%s', (name) => expectColours(name))
})

describe('a screenshot shows the end of the animation of', () => {
  const [first, second, third, fourth, ...others] = Object.keys(animated)
  it.each([first!, third!, fourth!, ...slowCases(second!, ...others)])('%s', (name) => expectColours(name))
})

describe('a screenshot shows one moment of an endless animation:', () => {
  const [first, ...others] = Object.keys(endless)
  it.each([first!, ...slowCases(...others)])('%s', (name) => expectColours(name))
})

describe('a screenshot of the whole page shows', () => {
  const [first, second, ...others] = Object.keys(revealed)
  it.each([first!, second!, ...slowCases(...others)])('%s', (name) => expectColours(name, whole))
})

describe('a screenshot keeps', () => {
  const [first, ...others] = Object.keys(ordinary)
  it.each([first!, ...slowCases(...others)])('%s', (name) => expectColours(name))
})

slowIt('captures an element that counts once it is scrolled into view', async () => {
  const { bytes } = await test.capture('/count', { element: '#box', screenshot: { type: 'png' }, ...small })
  expect(isLike(await pixelAt(bytes, 590, 20), RED)).toBe(true)
})

it('captures an element that is shown once it is scrolled into view', async () => {
  const { bytes, height } = await test.capture('/late', { element: '#box', screenshot: { type: 'png' }, ...small })
  expect(height).toBe(200)
  expect(isLike(await pixelAt(bytes, 300, 190), RED)).toBe(true)
})
