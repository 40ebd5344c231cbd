// Covers what the built script shows of pages that do not show their content.
import { readFile } from 'node:fs/promises'
import type { Page } from 'puppeteer-core'
import { beforeAll, expect, it } from 'vitest'
import type { PageState } from '../../src/query/index.js'
import { scriptStage, states } from './script-stage.js'

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="16"/></svg>'
const IMAGE = '<meta property="og:image" content="/picture.png">'
const HEAD = '<link rel="icon" href="/icon.svg">'
/** All but `opted-out`, of which nothing is shown. */
const BODIES: Record<Exclude<PageState, 'opted-out'>, string> = {
  'bot-check':
    '<title>Just a moment...</title><h1>Verifying you are human</h1><script>window._cf_chl_opt = {}</script>',
  blank: `<title>Tide tables</title><div id="root"></div><script>throw new Error('No content')</script>`,
  'error-page': '<title>Page not found</title><h1>404</h1><p>Page not found</p>',
  consent: `<title>Before you continue</title><h1>Before you continue</h1><p>We use cookies and data to deliver our services.
    If you agree, we also use them to show personalised ads.</p><button>Reject all</button> <button>Accept all</button>`,
  login: `<title>Sign in</title><h1>Sign in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>`,
}
const STATES = Object.keys(BODIES) as (keyof typeof BODIES)[]

const stage = scriptStage(
  Object.fromEntries(
    STATES.flatMap((state) => [
      [`/${state}`, `<!doctype html>${HEAD}${BODIES[state]}`],
      [`/pictured/${state}`, `<!doctype html>${HEAD}${IMAGE}${BODIES[state]}`],
    ]),
  ),
)
beforeAll(async () => {
  const picture = await readFile('test/react/images/old.png')
  const { routes } = stage().site
  routes['/icon.svg'] = (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(ICON)
  routes['/picture.png'] = (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
  for (const path of ['/story', '/pictured/story'])
    routes[path] = (_, response) =>
      response.writeHead(302, { location: path.replace('story', 'login') + '?next=story' }).end()
})

it.each(['screenshot', 'screenshot embed'])('shows image or icon, and the words of the link: %s', async (words) => {
  const { site, serving, elsewhere } = stage()
  const previews = ['/pictured/', '/'].flatMap((folder) =>
    STATES.map((state) => {
      const url = `${site.url}${folder}${state === 'login' ? 'story' : state}`
      return `<page-preview url="${url}" ${words} loading="eager"><a href="${url}">The essay</a></page-preview>`
    }),
  )
  elsewhere.routes['/'] =
    `<!doctype html><title>Mine</title><script async src="${serving.free}/page-preview.js"></script>
    <script>
      told = []
      addEventListener('page-preview:load', ({ detail }) => told.push(detail.state))
    </script>
    <main style="display:grid;grid-template-columns:repeat(5,1fr);gap:12px">${previews.join('')}</main>`
  const { page } = await stage().open('/')
  await expect.poll(() => states(page), { timeout: 100_000 }).toEqual(previews.map(() => 'ready'))
  await expect
    .poll(() => shown(page), { timeout: 10_000 })
    .toEqual([...STATES.map(pictureOf), ...STATES.map((state) => (state === 'bot-check' ? null : 'pp-fallback'))])
  expect((await page.evaluate('told.sort()')) as string[]).toEqual([...STATES, ...STATES].toSorted())
  const texts = await page.$$eval('page-preview', (all) =>
    all.map(({ shadowRoot }) => shadowRoot!.querySelector('.page-preview')!.textContent),
  )
  for (const text of texts) expect(text).not.toMatch(/moment|human|not found|sign in|failed|retry|try again/i)
})

/** What stands in place of the page has images of its own; a bot check also has an icon of its own, so its card has a letter. */
const pictureOf = (state: PageState) => (state === 'bot-check' ? null : state === 'blank' ? 'pp-image' : 'pp-fallback')

/** The class of the large image of each preview. */
const shown = (page: Page) =>
  page.$$eval('page-preview', (all) =>
    all.map(({ shadowRoot }) => {
      const image = shadowRoot!.querySelector<HTMLImageElement>('.pp-media img')
      return image?.complete && image.naturalWidth ? image.closest('[class]')!.className : null
    }),
  )
