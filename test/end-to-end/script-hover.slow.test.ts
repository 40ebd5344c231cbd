// Covers the hover previews of the built script, under a content security policy.
import type { Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { localSite } from '../local-site.js'
import type { OpenPage } from './open-page.js'
import { scriptStage } from './script-stage.js'

const stage = scriptStage({
  '/a': '<!doctype html><title>Page A</title>',
  '/b': '<!doctype html><title>Page B</title>',
})

/** A page of another origin with the script tag, whose policy allows stylesheets only as files. */
async function visit(body: string, { script = '', styles = '', connect = '' } = {}): Promise<OpenPage> {
  stage().elsewhere.routes['/page.css'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/css' }).end(styles)
  const policy = `script-src ${stage().serving.free}; style-src ${stage().serving.free} ${stage().elsewhere.url}; connect-src ${stage().serving.free} ${connect}`
  stage().elsewhere.routes['/'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(
      `<!doctype html><title>A page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">
      <body>${body}<script async src="${stage().serving.free}/page-preview.js" data-auto="main a" ${script}></script>`,
    )
  return stage().open()
}
const link = (path = '/a', attributes = '') => `<a href="${stage().site.url}${path}" ${attributes}>Words</a>`
const AWAY = { x: 1, y: 1 }

/** Waits until the preview of a link is open and shows `title`. */
const untilOpen = (page: Page, title: string) =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const card = [...document.body.children]
            .map(({ shadowRoot }) => shadowRoot?.querySelector('.pp-popover:popover-open'))
            .find(Boolean)
          return card?.checkVisibility() && card.querySelector('.pp-title')?.textContent
        }),
      { timeout: 20_000 },
    )
    .toBe(title)
const card = (page: Page) =>
  page.evaluate(() => {
    const [found] = [...document.body.children].flatMap(
      ({ shadowRoot }) => shadowRoot?.querySelector<HTMLElement>('.pp-popover') ?? [],
    )
    if (!found) throw new Error('No hover preview is open.')
    const { left, right, top, bottom } = found.getBoundingClientRect()
    const { layout, theme = 'auto' } = found.querySelector<HTMLElement>('.page-preview')!.dataset
    return { left, right, top, bottom, layout, theme }
  })
const away = async (page: Page) => {
  await page.mouse.move(AWAY.x, AWAY.y)
  await expect
    .poll(() => page.$$eval('body > div', (all) => all.some((at) => at.shadowRoot?.querySelector('.pp-popover'))))
    .toBe(false)
}

it.each([
  ['below', 'ltr', 150, 'left'],
  ['above', 'ltr', 700, 'left'],
  ['below', 'rtl', 150, 'right'],
] as const)('opens right %s its link on a long page, %s, %i pixels down', async (side, dir, down, edge) => {
  const { page, complaints, layoutShift } = await visit(`<main dir="${dir}">${link()}</main>`, {
    styles: `body { height: 5000px } main { padding: ${down}px 400px } * { transition: none !important }`,
  })
  await page.hover('main a')
  await untilOpen(page, 'Page A')
  const at = await page.$eval('main a', (anchor) => {
    const { left, right, top, bottom } = anchor.getBoundingClientRect()
    return { left, right, top, bottom }
  })
  const found = await card(page)
  // The transition of the card may not have ended yet.
  const gap = side === 'below' ? found.top - at.bottom : at.top - found.bottom
  expect(Math.abs(gap)).toBeLessThanOrEqual(4)
  expect(Math.abs(found[edge] - at[edge])).toBeLessThan(1)
  expect(complaints).toEqual([])
  expect(await layoutShift()).toBe(0)
})

it('opens right below its link on a page that is zoomed', async () => {
  const { page } = await visit(`<main>${link()}</main>`, {
    styles: 'body { zoom: 1.5 } main { padding: 100px } * { transition: none !important }',
  })
  await page.hover('main a')
  await untilOpen(page, 'Page A')
  const at = await page.$eval('main a', (anchor) => anchor.getBoundingClientRect().toJSON() as DOMRect)
  const found = await card(page)
  expect(Math.abs(found.top - at.bottom)).toBeLessThanOrEqual(6)
  expect(Math.abs(found.left - at.left)).toBeLessThan(1)
})

it.each([
  ['is a column', 'body { display: flex; flex-direction: column; justify-content: space-between; min-height: 90vh }'],
  ['is a grid', 'body { display: grid; grid-template-rows: auto 1fr; gap: 20px; min-height: 100vh }'],
  ['has a rule for each div', 'div { padding: 20px; border: 1px solid; min-height: 60px }'],
  ['hides what is empty', 'div:empty { display: none }'],
])('shifts nothing on a page that %s', async (_, styles) => {
  const { page } = await visit(`<main>${link()}</main><footer>Foot</footer>`, { styles })
  const places = () =>
    page.$$eval('html, main, footer', (all) => all.map((element) => JSON.stringify(element.getBoundingClientRect())))
  const before = await places()
  await page.hover('main a')
  await untilOpen(page, 'Page A')
  expect(await places()).toEqual(before)
})

it('opens at each link in turn', async () => {
  const { page } = await visit(`<main>${link('/a', 'id="a"')} and ${link('/b', 'id="b"')}</main>`)
  for (const name of ['a', 'b', 'a']) {
    await page.hover(`#${name}`)
    await untilOpen(page, `Page ${name.toUpperCase()}`)
  }
})

it('closes at the first of two links to the same page when the pointer has only crossed the second', async () => {
  const { page } = await visit(`<main>${link('/a', 'id="a"')}<p>and</p>${link('/a', 'id="b"')}</main>`, {
    styles: 'p { margin: 400px 0 }',
  })
  await page.hover('#a')
  await untilOpen(page, 'Page A')
  await page.hover('#b')
  await away(page)
})

it('closes when the page removes its link', async () => {
  const { page } = await visit(`<main>${link()}</main>`)
  await page.hover('main a')
  await untilOpen(page, 'Page A')
  await page.evaluate(() => document.querySelector('main')!.replaceChildren('Another article'))
  await away(page)
})

it('opens at a link in a shadow root', async () => {
  const { page } = await visit('<main><div></div></main>')
  await page.$eval(
    'main div',
    (host, html) => {
      host.attachShadow({ mode: 'open' }).innerHTML = html
    },
    link('/a', 'data-page-preview="hover"'),
  )
  await page.hover('main div >>> a')
  await untilOpen(page, 'Page A')
})

it('opens on the first long press of a finger, while its code still loads, and does not follow the link', async () => {
  const { page } = await visit(`<main>${link()}</main>`)
  const url = page.url()
  const { x, y } = await page.$eval('main a', (anchor) => anchor.getBoundingClientRect().toJSON() as DOMRect)
  const finger = await page.touchscreen.touchStart(x + 5, y + 5)
  await untilOpen(page, 'Page A')
  await finger.end()
  await untilOpen(page, 'Page A')
  expect(page.url()).toBe(url)
})

it('ignores links that lead to no page, without a message', async () => {
  const { page, requests } = await visit(
    `<main><a data-page-preview="hover" href="mailto:reader@example.com">Mail</a> ${link('/a', 'data-page-preview="false" id="none"')} ${link('/b')}</main>`,
  )
  for (const nothing of ['main a:first-child', '#none']) {
    await page.hover(nothing)
    // Longer than the delay before a hover preview opens.
    await page.evaluate(async () => {
      for (let frames = 0; frames < 15; frames++) await new Promise(requestAnimationFrame)
    })
  }
  await page.hover('main a:last-child')
  await untilOpen(page, 'Page B')
  expect(requests.map(({ searchParams }) => searchParams.get('url'))).toEqual([`${stage().site.url}/b`])
})

it('reads the attributes of its link and the theme of the page anew each time', async () => {
  const { page } = await visit(`<main>${link('/a', 'data-layout="row"')}</main>`, { script: 'data-theme="auto"' })
  await page.hover('main a')
  await untilOpen(page, 'Page A')
  expect(await card(page)).toMatchObject({ layout: 'row', theme: 'auto' })
  await page.evaluate(() => void (document.documentElement.dataset.theme = 'dark'))
  await expect.poll(async () => (await card(page)).theme).toBe('dark')

  await away(page)
  await page.$eval('main a', (anchor) => void (anchor.dataset.layout = 'image'))
  await page.hover('main a')
  await untilOpen(page, 'Page A')
  expect(await card(page)).toMatchObject({ layout: 'image', theme: 'dark' })

  await away(page)
  await page.$eval('main a', (anchor, href) => void (anchor.href = href), `${stage().site.url}/b`)
  await page.hover('main a')
  await untilOpen(page, 'Page B')
})

it('dispatches its events at the link, and logs one message when the service is down', async () => {
  const gone = await localSite({})
  await gone.close()
  const { page } = await visit(`<main>${link()}</main>`, { script: `data-endpoint="${gone.url}"`, connect: gone.url })
  const messages: string[] = []
  page.on('console', (message) => message.text().startsWith('page-preview') && messages.push(message.text()))
  await page.evaluate(() => {
    Object.assign(window, { events: [] })
    for (const name of ['load', 'error'])
      document.addEventListener(`page-preview:${name}`, ({ type, target }) =>
        Reflect.get(window, 'events').push(`${type} ${(target as Element).localName}`),
      )
  })
  const events = () => page.evaluate(() => Reflect.get(window, 'events') as string[])
  await page.hover('main a')
  await expect.poll(events, { timeout: 20_000 }).toEqual(['page-preview:error a'])
  await page.evaluate(
    (url) => document.body.insertAdjacentHTML('beforeend', `<page-preview url="${url}"></page-preview>`),
    `${stage().site.url}/b`,
  )
  await expect.poll(events, { timeout: 20_000 }).toEqual(['page-preview:error a', 'page-preview:error page-preview'])
  expect(messages).toEqual([expect.stringMatching(/^page-preview: .* links still work\.$/)])
})
