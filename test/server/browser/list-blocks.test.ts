// Covers `in-page/list-blocks.ts` in pages of a real Chromium.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Capture, PageBlock } from '../../../src/server/browser/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'
import { pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const page = (body: string, styles = '') =>
  `<!doctype html><html><head><style>body{font:16px/20px sans-serif}${styles}</style></head><body>${body}</body></html>`
const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('')
const picture = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E`
let visits = 0

const routes: Record<string, Route> = {
  '/texts': page(
    `<h1>News</h1><p id="lead">One <b>bold</b> and <a href="/">a&nbsp;link</a>,<br>then <span class="badge">a badge</span>.</p>
     <ul><li>Item<ul><li>Inner</li></ul></li></ul><h2 class="split">${many(5, (at) => `<span>${'Moves'[at]}</span>`)}</h2>`,
    '.badge,.split span{display:inline-block}.badge{background:#ff0}',
  ),
  '/long': page(`<p>${'word '.repeat(200)}</p><p>${'word '.repeat(199)}other</p><p>short</p>`),
  '/hidden': page(
    `<p>Seen</p><p style="display:none">no</p><p style="visibility:hidden">no</p><div style="opacity:0"><p>no</p></div>
     <div style="height:0;overflow:hidden"><p>no</p></div><p style="position:absolute;left:-9999px">no</p>
     <p style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">no</p>
     <details><summary>Open</summary><p>no</p></details><div style="visibility:hidden"><p style="visibility:visible">Seen too</p></div>
     <p style="clip-path:inset(50%)">no</p><div style="content-visibility:hidden;height:9px"><p>no</p></div>
     <p style="transform:scale(0)">no</p><noscript>no</noscript><template>no</template><dialog>no</dialog><p hidden>no</p>
     <p style="display:contents">Without a box</p>`,
  ),
  '/clock': page(
    `<h2>Now</h2><div class="clock">${many(3, (at) => `<div class="unit"><div>${at}</div><div>9</div></div><div>:</div>`)}</div>
     <p>Something else that is much longer</p><div class="teaser"><h3>Hot</h3><div>News</div></div>`,
    '.clock,.unit{display:flex}.unit div{background:#eee;padding:4px}',
  ),
  '/icons': page(
    `<a class="home" href="/"><i class="icon"></i></a><p>Text <i class="icon"></i> with an icon</p>
     <button><svg width="16" height="16"><path d="M0 0h16v16H0z"/></svg></button><span class="dot"></span><i></i><hr>`,
    '.icon::before{content:"★"}.home{display:block}.dot{display:inline-block;width:9px;height:9px;background:rgb(255,0,0)}',
  ),
  '/replaced': page(
    `<img src="${picture}" width="60" height="40"><img src="${picture}" width="1" height="1"><canvas width="50" height="50"></canvas>
     <video width="80" height="50"></video><input value="typed"><input type="password" value="secret"><input placeholder="Search">
     <textarea>written</textarea><select><option>One<option selected>Two</select><progress value=".5"></progress>
     <svg width="90" height="30"><text y="20">drawn</text></svg><object width="40" height="40"></object>`,
  ),
  '/chart': page(
    `<div class="chart">${many(5, (at) => `<div style="height:${20 + at * 20}px"></div>`)}</div><div class="cover"></div><p>Text</p>`,
    '.chart{display:flex;background:#eee;height:120px}.chart div{width:20px;background:blue;margin:2px}.cover{position:absolute;inset:0;background:#fff;z-index:-1}',
  ),
  '/carousel': page(
    `<div class="track">${many(6, (at) => `<div class="slide">Slide ${at}</div>`)}</div><div class="frame"><p class="out">Out of the frame</p></div>`,
    '.track{display:flex;overflow-x:auto;width:500px}.slide{flex:0 0 200px}.frame{height:10px;overflow:hidden}.out{position:absolute;margin:0}',
  ),
  '/sticky': page(
    `<header>Head</header><div class="tall"><p>Body</p></div><footer><p id="end">End</p><div id="total">Total</div></footer>`,
    'header{position:sticky;top:0;background:#fff}.tall{height:2000px}#total{position:fixed;right:0;bottom:0;width:80px;height:30px;background:rgb(0,128,0);color:rgb(0,128,0)}',
  ),
  '/table': page('<table border="1"><tr><th>Name<th>Price<tr><td>Tea<td>2 €<tr><td>Coffee<td>3 €</table>'),
  '/list': page(`<ul class="rows">${many(500, (at) => `<li class="row">Row ${at}</li>`)}</ul>`),
  '/shadow': page(
    `<open-card><b slot="title">Slotted</b>Left out</open-card><open-card></open-card><closed-card></closed-card>
     <script>customElements.define('open-card', class extends HTMLElement {
       constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<p id="in">Open</p><div><slot name="title">None</slot></div>' }
     })
     customElements.define('closed-card', class extends HTMLElement {
       constructor() { super(); this.style.display = 'block'; this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Closed</p>' }
     })</script>`,
  ),
  '/generated': (_, response) => {
    visits++
    const hash = (visits * 7_654_321).toString(36).padStart(7, 'k')
    const classes = [`css-${hash}`, `Card_title__${hash.slice(0, 5)}`, `sc-${hash}`, `jsx-${visits}123456`]
    const ids = [
      `:r${visits}:`,
      `_r_${visits}_`,
      `radix-${hash}`,
      `a${visits}b2c${visits}d`,
      `${'f'.repeat(40)}${visits}`,
      `item-${visits}98765`,
    ]
    response.end(
      page(`<main id="content"><div class="${classes.join(' ')}">${ids.map((id) => `<p id="${id}" class="${classes[0]}">Text</p>`).join('')}</div>
        <section class="latest-news ${classes[1]}"><h2 class="is-active title">Title</h2></section></main>`),
    )
  },
  '/clobbered': page(
    `<form><input name="localName"><input name="nodeType"><input name="nextSibling"><input name="firstChild"><input name="parentNode">
       <input name="getBoundingClientRect"><input name="getAttribute"><input name="shadowRoot"><p>In the form</p></form><p>After it</p>
     <img name="documentElement" src="${picture}" width="9" height="9"><form name="querySelectorAll"></form><form name="createTreeWalker"></form>`,
  ),
  '/overridden': page(
    `<p>Text</p><script>
       Element.prototype.getBoundingClientRect = () => ({ left: 1, top: 1, right: 2, bottom: 2, width: 1, height: 1 })
       for (const name of ['firstChild', 'nextSibling', 'nodeType']) Object.defineProperty(Node.prototype, name, { get() { throw new Error('no') } })
       window.getComputedStyle = () => { throw new Error('no') }
       Array.prototype.map = Map.prototype.get = String.prototype.slice = () => { for (;;); }
       performance.now = () => Infinity</script>`,
  ),
  '/endless': page(
    `<p>First</p><script>document.body.append(...Array.from({ length: 1000 }, (_, at) => {
       const element = document.createElement('div')
       element.id = 'x'.repeat(200) + at
       element.className = 'y'.repeat(200) + at
       element.textContent = at % 3 ? at : '\\ud800\\u0000"'.repeat(90)
       return element
     }))</script>`,
    'div{font-size:4px;line-height:4px;height:4px;overflow:hidden}',
  ),
  '/deep': page(`${many(500, () => '<div><div></div>')}<p>Bottom</p><p>Bottom</p>`),
  '/covers': page(
    many(900, () => '<div class="cover"></div>'),
    '.cover{position:absolute;inset:0;background:red}',
  ),
  '/elsewhere': page('<p>In a frame</p>'),
  '/': page(''),
}

let test: TestBrowser
let other: LocalSite
beforeAll(async () => {
  other = await localSite({ '/': page('<p>Foreign</p>') })
  routes['/frames'] = page(
    `<iframe id="foreign" src="${other.url}"></iframe><iframe id="own" src="/elsewhere"></iframe>
     <iframe id="nested" srcdoc='<iframe src="${other.url}"></iframe>'></iframe><iframe id="sandboxed" sandbox srcdoc="x"></iframe><iframe id="empty"></iframe>`,
  )
  test = await startTestBrowser(routes, { allowTargets: [other.host] })
})
afterAll(() => Promise.all([test.close(), other.close()]))

const captureWithBlocks = (path: string, query = {}): Promise<Capture> =>
  test.capture(path, { history: 3, viewport: { deviceScaleFactor: 1 }, ...query })
const blocksOf = async (path: string, query = {}): Promise<PageBlock[]> =>
  (await captureWithBlocks(path, query)).blocks!
const textsOf = (blocks: readonly PageBlock[]) => blocks.map(({ text }) => text)
const elementsOf = (blocks: readonly PageBlock[]) => blocks.map(({ element }) => element)

it('are listed with history alone', async () => {
  expect(await test.capture('/texts')).not.toHaveProperty('blocks')
})

describe('a block', () => {
  it('is a paragraph or the like with the inline elements in it', async () => {
    const blocks = await blocksOf('/texts')
    expect(blocks.map(({ element, text }) => [element, text])).toEqual([
      ['body > h1', 'News'],
      ['#lead', 'One bold and a link, then a badge.'],
      ['body > ul > li', 'Item'],
      ['body > ul li', 'Inner'],
      ['h2.split', 'Moves'],
    ])
    expect(blocks[0]).toEqual({ element: 'body > h1', text: 'News', x: 8, y: 21.4375, width: 1264, height: 20 })
    // Its own line, without the list in it.
    expect(blocks[2]!.height).toBeLessThanOrEqual(20)
  })

  it('has the beginning of a long text, and a hash of all of it', async () => {
    const [one, two, short] = await blocksOf('/long')
    expect(one!.text).toBe('word '.repeat(40).trim())
    expect(one!.text).toBe(two!.text)
    expect(one!.textHash).toMatch(/^[\da-z]{5,11}$/)
    expect(one!.textHash).not.toBe(two!.textHash)
    expect(short).not.toHaveProperty('textHash')
  })

  it('is something that a visitor sees', async () => {
    expect(textsOf(await blocksOf('/hidden')).toSorted()).toEqual(['Open', 'Seen', 'Seen too', 'Without a box'])
  })

  it('is an image or the like, with the value of a field, but not of a password', async () => {
    const blocks = await blocksOf('/replaced')
    expect(elementsOf(blocks).map((element) => element.replace(/:.*|body > /g, ''))).toEqual([
      'img',
      'canvas',
      'video',
      'input',
      'input',
      'input',
      'textarea',
      'select',
      'progress',
      'svg',
      'object',
    ])
    expect(textsOf(blocks).filter(Boolean)).toEqual(['typed', 'Search', 'written', 'Two'])
  })

  it('is an icon, unless it is in a text', async () => {
    expect(elementsOf(await blocksOf('/icons'))).toEqual([
      'a.home > i',
      'body > p',
      'body > button > svg',
      'body > hr',
      'span.dot',
    ])
  })

  it('is a bar of a chart, and neither what is around the bars nor a background behind all of them', async () => {
    const blocks = await blocksOf('/chart')
    expect(blocks.map(({ height }) => height)).toEqual([20, 40, 60, 80, 100, 20])
    expect(new Set(blocks.slice(0, 5).map(({ group }) => group))).toEqual(new Set(['div.chart']))
  })

  it('is what is in sight of something that scrolls, or that cuts off its content', async () => {
    const blocks = await blocksOf('/carousel')
    expect(textsOf(blocks)).toEqual(['Slide 0', 'Slide 1', 'Slide 2', 'Out of the frame'])
    expect(blocks.map(({ width }) => width)).toEqual([200, 200, 100, expect.any(Number)])
  })

  it('is a cell of a table', async () => {
    const blocks = await blocksOf('/table')
    expect(textsOf(blocks)).toEqual(['Name', 'Price', 'Tea', '2 €', 'Coffee', '3 €'])
    expect(blocks[3]!.element).toBe('body tr:nth-of-type(2) > td:nth-of-type(2)')
  })

  it('is in a shadow root, or all of one that cannot be read', async () => {
    const blocks = await blocksOf('/shadow')
    expect(blocks.map(({ element, text }) => [element, text])).toEqual([
      ['body > open-card:nth-of-type(1) #in', 'Open'],
      ['body > open-card:nth-of-type(1) div', 'Slotted'],
      ['body > open-card:nth-of-type(2) #in', 'Open'],
      ['body > open-card:nth-of-type(2) div', 'None'],
      ['body > closed-card', ''],
    ])
  })

  it('is a frame, which is foreign if it shows a document of another origin', async () => {
    const blocks = await blocksOf('/frames')
    expect(textsOf(blocks)).toEqual(['', '', '', '', ''])
    expect(blocks.filter(({ isForeign }) => isForeign).map(({ element }) => element)).toEqual([
      '#foreign',
      '#nested',
      '#sandboxed',
    ])
    expect(elementsOf(blocks)).toEqual(['#foreign', '#own', '#nested', '#sandboxed', '#empty'])
  })
})

describe('a group', () => {
  it('is a clock of boxes, and nothing with a heading', async () => {
    const blocks = await blocksOf('/clock')
    expect(
      blocks
        .filter(({ group }) => group === 'div.clock')
        .map(({ text }) => text)
        .join(''),
    ).toBe('09:19:29:')
    expect(blocks.filter(({ group }) => group === undefined).map(({ text }) => text)).toEqual([
      'Now',
      'Something else that is much longer',
      'Hot',
      'News',
    ])
  })
})

describe('the blocks of an area', () => {
  it('are those in the viewport, or of the whole page, but no more than 800', async () => {
    expect(await blocksOf('/list')).toHaveLength(40)
    const all = await blocksOf('/list', { screenshot: { fullPage: true } })
    expect(all).toHaveLength(500)
    expect(all[499]).toMatchObject({ element: 'ul.rows > li:nth-of-type(500)', text: 'Row 499', y: 9_996 })
    expect(await blocksOf('/covers')).toHaveLength(800)
  })

  it('are those of an element, or of a clip', async () => {
    expect(textsOf(await blocksOf('/texts', { element: '#lead' }))).toEqual(['One bold and a link, then a badge.'])
    expect(textsOf(await blocksOf('/texts', { screenshot: { clip: '0,0,500,50' } }))).toEqual(['News'])
  })

  it('are those that are scrolled to, and those that stay in their place', async () => {
    const blocks = await blocksOf('/sticky', { scroll: '#end' })
    expect(textsOf(blocks)).toEqual(['Head', 'End', 'Total'])
    expect(blocks[0]!.y).toBeGreaterThan(1_000)
  })

  it('are where they are in the screenshot of a whole page', async () => {
    const { blocks, bytes, height } = await captureWithBlocks('/sticky', {
      screenshot: { type: 'png', fullPage: true },
    })
    expect(textsOf(blocks!)).toEqual(['Head', 'Body', 'End', 'Total'])
    const { x, y } = blocks![3]!
    expect(y + 30).toBeLessThanOrEqual(height)
    expect(await pixelAt(bytes, Math.round(x) + 40, Math.round(y) + 15)).toEqual([0, 128, 0, 255])
  })

  it('are the same without scripts', async () => {
    const [withScripts, without] = [await blocksOf('/texts'), await blocksOf('/texts', { javascript: false })]
    expect(without).toEqual(withScripts)
  })
})

describe('the selectors of blocks', () => {
  it('are the same in two visits of a page with generated names', async () => {
    const [first, second] = [await blocksOf('/generated'), await blocksOf('/generated')]
    expect(elementsOf(first)).toEqual(elementsOf(second))
    expect(elementsOf(first)).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((at) => `#content > div > p:nth-of-type(${at})`),
      'h2.title',
    ])
  })

  it('are different, short, and plain text, whatever the page does', async () => {
    for (const path of ['/endless', '/deep', '/clobbered', '/shadow']) {
      const blocks = await blocksOf(path)
      const elements = elementsOf(blocks)
      expect(new Set(elements).size).toBe(elements.length)
      for (const { element, text } of blocks) {
        expect(element).toMatch(/^[ -~]{1,120}$/)
        expect(text.length).toBeLessThanOrEqual(200)
        expect(text).not.toMatch(/[\p{Surrogate}\p{Cc}]/u)
      }
    }
  })
})

describe('a hostile page', () => {
  it('does not hide its blocks by fields that are called like properties', async () => {
    expect(textsOf(await blocksOf('/clobbered'))).toEqual(expect.arrayContaining(['In the form', 'After it']))
  })

  it('does not reach the script', async () => {
    expect(textsOf(await blocksOf('/overridden'))).toEqual(['Text'])
  })

  it('has the blocks at its bottom, however deep it is', async () => {
    expect(textsOf(await blocksOf('/deep'))).toEqual(['Bottom', 'Bottom'])
  })
})
