// Covers how the built script loads, observes a page and starts.
import type { Page } from 'puppeteer-core'
import { beforeAll, expect, it } from 'vitest'
import type { OpenPage } from './open-page.js'
import { scriptStage, states } from './script-stage.js'

const stage = scriptStage(
  Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`/${name}`, `<!doctype html><title>${name}</title>`])),
)
beforeAll(() => {
  stage().elsewhere.routes['/js/page-preview-settings.js'] = ''
  stage().site.routes['/icon.svg'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(ICON)
  stage().site.routes['/with-icon'] = '<!doctype html><title>Icon</title><link rel="icon" href="/icon.svg">'
})

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="16"/></svg>'

interface Visited extends OpenPage {
  /** Messages in the console, and uncaught errors. */
  messages: string[]
}

const stylesheet = () => `<link rel="stylesheet" href="${stage().serving.free}/page-preview.css">`
const scriptTag = (attributes = 'async') =>
  `<script src="${stage().serving.free}/page-preview.js" ${attributes}></script>`

/** Opens a page of another origin, with the script tag by default. */
async function visit(body: string, { head = scriptTag(), policy = '' } = {}): Promise<Visited> {
  const open = await stage().open('/blank')
  const { page, complaints } = open
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(String(error)))
  complaints.splice(0)
  stage().elsewhere.routes['/'] = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', ...(policy && { 'content-security-policy': policy }) })
      .end(`<!doctype html><title>A page</title><link rel="icon" href="data:,">${head}<body>${body}`)
  await page.goto(`${stage().elsewhere.url}/`)
  return { ...open, messages }
}

const untilReady = (page: Page, count: number) =>
  expect
    .poll(async () => (await states(page)).filter((state) => state === 'ready').length, { timeout: 25_000 })
    .toBe(count)
const nextFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
  })
const requestedUrls = (requests: URL[]) => requests.map(({ searchParams }) => searchParams.get('url') ?? '').toSorted()
const parts = (page: Page) => page.$$eval('link[rel=modulepreload]', (links) => links.length)
const FAR = '<div style="height: 5000px"></div>'

const address = (name: string) => `${stage().site.url}/${name}`
const preview = (name: string, attributes = '') =>
  `<page-preview url="${address(name)}" ${attributes}><a href="${address(name)}">Page ${name}</a></page-preview>`
const marked = (name: string, mark = 'data-page-preview') =>
  `<a id="${name}" href="${address(name)}" ${mark}>${name}</a>`

it('accepts every spelling of the attribute that marks a link, except `false`', async () => {
  const { page } = await visit(
    `<p>${marked('a', 'data-page-preview="true"')}<p>${marked('b', 'data-page-preview="data-page-preview"')}
     <p>${marked('c', 'data-page-preview="false"')}<p>${marked('d', 'data-page-preview="hover"')}`,
    { head: stylesheet() + scriptTag() },
  )
  await untilReady(page, 2)
  expect(await page.$$eval('a:has(+ page-preview)', (links) => links.map(({ id }) => id))).toEqual(['a', 'b'])
  const displays = await page.$$eval('#c, #d', (links) => links.map((link) => getComputedStyle(link).display))
  expect(displays).toEqual(['inline', 'inline'])
})

it.each([
  ['with the stylesheet', stylesheet],
  ['without it', () => ''],
])('requests and shows nothing for hidden elements, %s, until they are visible', async (_, styles) => {
  const { page, requests } = await visit(`${preview('a', 'hidden')}<p>${marked('b', 'data-page-preview hidden')}`, {
    head: styles() + scriptTag(''),
  })
  await nextFrames(page)
  const heights = await page.$$eval('page-preview, #b', (all) => all.map(({ clientHeight }) => clientHeight))
  expect(heights).toEqual([0, 0])
  expect(await parts(page)).toBe(0)
  await page.$$eval('[hidden]', (all) => all.forEach((one) => one.removeAttribute('hidden')))
  await untilReady(page, 2)
  expect(requestedUrls(requests)).toEqual([address('a'), address('b')])
})

const NARROW = [
  ['a flex row', (inner: string) => `<nav style="display: flex; gap: 10px">${inner}</nav>`],
  [
    'a centred column',
    (inner: string) => `<div style="display: flex; flex-direction: column; align-items: center">${inner}</div>`,
  ],
  ['a float', (inner: string) => `<div style="float: left">${inner}</div>`],
  ['an inline block', (inner: string) => `<div style="display: inline-block">${inner}</div>`],
] as const

it.each(NARROW)('reserves the space in %s, which is as wide as its content', async (_, around) => {
  const { page, layoutShift } = await visit(`${around(preview('a'))}<p>After`, { head: stylesheet() + scriptTag() })
  await untilReady(page, 1)
  await nextFrames(page)
  expect(await layoutShift()).toBe(0)
})

it.each(['card', 'row', 'image', 'inline'])(
  'reserves the space of the layout %s that the tag or an element names, and shifts no text',
  async (layout) => {
    const body = (attribute: string) =>
      `<p>Before ${preview('a', attribute)} and after.</p><p>${marked('b', `data-page-preview ${attribute && `data-${attribute}`}`)} after</p>`
    for (const [ofTag, ofElement] of [
      [`data-layout="${layout}"`, ''],
      ['data-layout="card"', `layout="${layout}"`],
    ]) {
      const { page, layoutShift } = await visit(body(ofElement!), { head: stylesheet() + scriptTag(`async ${ofTag}`) })
      await untilReady(page, 2)
      await nextFrames(page)
      expect(await layoutShift()).toBe(0)
    }
  },
)

it('is as wide with an icon as with a letter, as a chip', async () => {
  const chip = (name: string) => preview(name, 'layout="inline"').replace(/Page [\w-]+/, 'Words')
  const { page } = await visit(`<p>${chip('with-icon')} and ${chip('a')}`)
  const chips = () =>
    page.$$eval('page-preview', (all) =>
      all.map(({ shadowRoot }) => {
        const [shown, icon] = ['.page-preview', '.pp-icon'].map((part) => shadowRoot?.querySelector(part))
        return { hasImage: icon?.querySelector('img') !== null, width: shown?.getBoundingClientRect().width }
      }),
    )
  await expect.poll(chips, { timeout: 20_000 }).toMatchObject([{ hasImage: true }, { hasImage: false }])
  const [withIcon, withLetter] = await chips()
  expect(withIcon!.width).toBeCloseTo(withLetter!.width!, 1)
})

it.each(NARROW)('keeps the width of links in %s when it cannot start', async (_, around) => {
  const { page, messages } = await visit(around(marked('a') + preview('b')), {
    head: stylesheet() + `<script>import('${stage().serving.free}/page-preview.js')</script>`,
  })
  await expect.poll(() => messages.join()).toMatch('page-preview cannot start')
  const widths = await page.$$eval('#a, page-preview', (all) => all.map((one) => one.getBoundingClientRect().width))
  expect(Math.min(...widths)).toBeGreaterThan(300)
})

it.each([
  ['a module imports it', (src: string) => `<script type="module">import '${src}'</script>`],
  ['it is imported while the page is open', (src: string) => `<script>import('${src}')</script>`],
])('logs once that it cannot start when %s', async (_, tag) => {
  const { page, messages } = await visit(preview('a') + marked('b'), {
    head: tag(`${stage().serving.free}/page-preview.js`),
  })
  await page.hover('#b')
  await nextFrames(page)
  expect(messages).toEqual([expect.stringMatching(/^page-preview cannot start: .*Invalid URL/)])
  expect(await page.$eval('#b', (link) => link.isConnected)).toBe(true)
})

it('finds its own tag among others with a similar name', async () => {
  const { page } = await visit(preview('a'), {
    head: `<script src="/js/page-preview-settings.js"></script>${scriptTag('type="module"')}`,
  })
  await untilReady(page, 1)
})

it('runs every call of the queue, and reports those that fail', async () => {
  const calls = JSON.stringify([
    ['render', '#nowhere', { url: address('a') }],
    ['configure', { theme: 'dark' }],
    ['render', 'main', { url: address('b') }],
  ])
  const { page, messages } = await visit(
    `<main></main><script>window.PagePreview = { q: ${calls} }</script>${scriptTag('')}`,
    { head: '' },
  )
  await untilReady(page, 1)
  expect(messages).toEqual([expect.stringMatching(/no element matches "#nowhere"$/)])
  const theme = await page.$eval(
    'page-preview',
    ({ shadowRoot }) => shadowRoot!.querySelector('article')!.dataset.theme,
  )
  expect(theme).toBe('dark')
})

it.each([
  ['none is near the viewport', 0],
  ['one is near the viewport', 1],
])('prints elements and links far from the viewport when %s', async (_, near) => {
  const { page, requests } = await visit((near ? preview('c') : '') + FAR + preview('a') + marked('b'))
  await untilReady(page, near)
  await nextFrames(page)
  expect(requestedUrls(requests)).not.toContain(address('a'))
  await page.pdf()
  await untilReady(page, near + 2)
})

it.each([
  ['loading="eager"', 'data-loading="eager"'],
  ['priority', 'data-priority'],
])('requests previews far from the viewport at once that have %s', async (attribute, ofLink) => {
  const { page, requests } = await visit(
    `${FAR}${preview('a', attribute)}${marked('b', `data-page-preview ${ofLink}`)}${preview('c', 'priority="false"')}${marked('d')}`,
  )
  await untilReady(page, 2)
  expect(requestedUrls(requests)).toEqual([address('a'), address('b')])
})

it('logs once that the selector of `data-auto` is invalid, and still observes marked links', async () => {
  const { page, messages } = await visit(marked('a', 'data-page-preview="hover"') + '<p id="text">Text', {
    head: scriptTag('async data-auto="main a[href^=]"'),
  })
  await page.hover('#text')
  await page.hover('#a')
  await page.waitForFunction(() =>
    [...document.body.children].some(({ shadowRoot }) => shadowRoot?.querySelector('.pp-popover')),
  )
  expect(messages).toEqual([expect.stringMatching(/main a\[href\^=\].* is not a valid selector/)])
})

it('starts under a policy that allows scripts by nonce alone, and loads its other parts', async () => {
  const { free } = stage().serving
  const { page, complaints } = await visit(preview('a') + marked('b', 'data-page-preview="hover"'), {
    head: scriptTag('async nonce="once"'),
    policy: `default-src 'none'; script-src 'nonce-once'; style-src ${free}; img-src ${free} data:; connect-src ${free}`,
  })
  await untilReady(page, 1)
  await page.hover('#b')
  await page.waitForFunction(() =>
    [...document.body.children].some(({ shadowRoot }) => shadowRoot?.querySelector('.pp-popover')),
  )
  expect(complaints).toEqual([])
})

it.each([
  ['a link in an element', () => preview('a')],
  ['a marked link', () => `<p>${marked('a')}`],
])('follows %s that is pressed before the script is ready, and mounts its preview if it is not', async (_, body) => {
  const { page } = await visit(body(), { head: '' })
  const { x, y, width, height } = (await (await page.$('a'))!.boundingBox())!
  const pressAndLoad = async () => {
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.addScriptTag({ url: `${stage().serving.free}/page-preview.js` })
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => new URL(name).searchParams.has('url')),
    )
    await nextFrames(page)
    expect(await page.$eval('a', (link) => link.checkVisibility())).toBe(true)
  }
  await pressAndLoad()
  await page.mouse.up()
  await expect.poll(() => page.url()).toBe(address('a'))
  await page.goto(`${stage().elsewhere.url}/`)
  await pressAndLoad()
  await page.mouse.move(x + width / 2, y + 300)
  await page.mouse.up()
  await untilReady(page, 1)
})
