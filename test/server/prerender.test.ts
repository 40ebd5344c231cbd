// Covers prerendering as a part of the service: results, page and browser take part.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, redirectTo, type LocalSite, type Route } from '../local-site.js'

const scripted = (head: string, body = '') => `<!doctype html><title>App</title><div id="root">Loading…</div><script>
  const add = (name, content) => document.head.append(Object.assign(document.createElement('meta'), { name, content }))
  const render = () => {
    document.title = 'Story'
    document.documentElement.lang = 'en'
    add('description', 'What it is about')
    document.head.lastChild.insertAdjacentHTML('afterend', '<meta property="og:image" content="/cover.png">')
    root.innerHTML = '<h1>Story</h1><img src="/cover.png">'
  }
  ${head}
</script>${body}`
const IMMEDIATE = scripted('render()')
const PNG = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const cover: Route = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

const rejectBrowsers: Route = (request, response) => {
  const isBrowser = request.headers['user-agent']?.includes('Chrome') === true
  response.writeHead(isBrowser ? 403 : 200, { 'content-type': 'text/html' })
  response.end(isBrowser ? '<title>Access denied</title>' : IMMEDIATE)
}

const ROOT = '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>'
const TEXT = `<p>${'The tide clock was made in Bristol for a harbour master. '.repeat(30)}</p>`
const CLOCK = '<h1>Brass tide clock</h1><p>In working order, with its key and a spare spring.</p>'
const script = (code: string) => `<script>
  const meta = (property, content) => {
    const element = document.createElement('meta')
    element.setAttribute(property.startsWith('og:') ? 'property' : 'name', property)
    element.content = content
    document.head.append(element)
  }
  setTimeout(() => { ${code} }, 30)
</script>`
const RENDER = `document.title = 'Brass tide clock — Quay Market'; root.innerHTML = ${JSON.stringify(CLOCK)}`
const ARTICLE = `<!doctype html><title>Brass tide clock</title><meta name="description" content="How it was made."><div id="root"><h1>Brass tide clock</h1>${TEXT}</div>`
const cra =
  '<!doctype html><title>React App</title><meta name="description" content="Web site created using create-react-app">'
const shop =
  '<!doctype html><title>Quay Market</title><meta property="og:title" content="Quay Market"><meta property="og:image" content="/cover.png">'

/** Paths that begin with `/needs` are opened for their metadata alone, the others only for a screenshot. */
const SCRIPT_PAGES = {
  '/needs/react-helmet': `${cra}${ROOT}${script(`meta('og:title', 'Brass tide clock'); meta('description', 'In working order.'); ${RENDER}`)}`,
  '/needs/title-alone': `${cra}${ROOT}${script(RENDER)}`,
  '/needs/site-tags': `${shop}${ROOT}${script(`meta('og:title', 'Brass tide clock'); ${RENDER}`)}`,
  '/needs/removed-tags': `${shop}${ROOT}${script(`document.querySelectorAll('meta').forEach((tag) => tag.remove()); ${RENDER}`)}`,
  '/home-everywhere': `<!doctype html><title>Quay Market</title><link rel="canonical" href="/"><div id="root"><h1>Welcome</h1>${TEXT}</div>${script(`document.querySelector('link').href = location.href; ${RENDER}; root.innerHTML += ${JSON.stringify(TEXT)}`)}`,
  '/messages': `${ARTICLE}${script(`document.title = '(3) Messages'`)}`,
  '/tested-on-some': `${ARTICLE}${script(`document.querySelector('h1').textContent = 'You will love this'; meta('og:title', 'You will love this')`)}`,
  '/login-wall': `${ARTICLE}${script(`document.title = 'Log in'; root.innerHTML = '<h1>Log in</h1><form><input type="password"></form>'`)}`,
  '/crash': `${ARTICLE}${script(`document.title = 'Application error'; root.innerHTML = '<h1>Application error</h1>'`)}`,
  '/left-alone': `${ARTICLE}${script(`document.querySelectorAll('meta').forEach((tag) => tag.remove())`)}`,
}

let site: LocalSite
let service: Service
let now = Date.parse('2026-01-31T12:00:00Z')

const request = (path: string, parameters: Record<string, string> = {}, target = service) =>
  target.fetch(new Request(`http://previews.test/?${new URLSearchParams({ url: site.url + path, ...parameters })}`))
const read = async (response: Response) => ({
  mode: response.headers.get('x-fetch-mode'),
  cache: response.headers.get('x-cache-status'),
  ...((await response.json()) as PageResponse),
})
const visits = (path: string) => site.requests.filter((request) => request === `GET ${path}`).length

beforeAll(async () => {
  site = await localSite({
    '/app': IMMEDIATE,
    '/later': scripted(`fetch('/story').then(() => render())`),
    '/after-click': scripted('', '<button onclick="render()">Read</button>'),
    '/story': 'Once upon a time',
    '/cover.png': cover,
    '/moved': `<!doctype html><script>location.replace('/deep/app')</script>`,
    '/deep/app': scripted(`render(); document.head.lastChild.previousSibling; add('author', 'Ann Author')`),
    '/to-app': redirectTo('/app?from=there'),
    '/normal': '<!doctype html><title>Plain</title><meta name="description" content="Complete"><script>0</script>',
    '/gate': redirectTo('/consent?next=%2Fgate'),
    '/consent': `<title>Before you continue</title><h1>Before you continue</h1><p>We and our partners use cookies. Read our
      privacy policy, and choose what you consent to.</p><button>Reject all</button><button>Accept all</button>`,
    '/form': redirectTo('/study/consent/form'),
    '/study/consent/form': `<title>Consent form</title><h1>Consent form</h1>${'<p>Please read this before the study.</p>'.repeat(30)}`,
    '/refused': rejectBrowsers,
    '/revalidated': IMMEDIATE,
    ...SCRIPT_PAGES,
  })
  service = createService({ allowTargets: [site.host], clock: () => now, warm: true })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

describe('a page that redirects to what looks like the address of a consent wall', () => {
  it('has none of the metadata of the wall', async () => {
    const { data, mode } = await read(await request('/gate'))
    expect(mode).toBe('fetch')
    expect(data).toMatchObject({ title: null, description: null, url: `${site.url}/gate`, state: 'consent' })
  })

  it('is read from the browser if it shows content', async () => {
    const { data, mode } = await read(await request('/form'))
    expect(mode).toBe('prerender')
    expect(data).toMatchObject({ title: 'Consent form', url: `${site.url}/study/consent/form` })
    expect(data).not.toHaveProperty('state')
  })
})

describe('a page without metadata until its scripts run', () => {
  it('is read after they have run, and is cached like that', async () => {
    const response = await read(await request('/app'))
    expect(response).toMatchObject({
      status: 'success',
      mode: 'prerender',
      cache: 'MISS',
      data: {
        title: 'Story',
        description: 'What it is about',
        lang: 'en',
        image: { url: `${site.url}/cover.png`, width: 300, height: 200, type: 'png' },
      },
      statusCode: 200,
    })
    expect(response.warnings).toBeUndefined()
    expect(await read(await request('/app'))).toMatchObject({
      mode: 'prerender',
      cache: 'HIT',
      data: { title: 'Story' },
    })
    expect(visits('/app')).toBe(2)
    // Only by the ping, because a rendered page loads no images.
    expect(visits('/cover.png')).toBe(1)
  })

  it('is waited for, also by the parameters of the query', async () => {
    expect((await read(await request('/later'))).data.title).toBe('Story')
    expect((await read(await request('/after-click'))).data).toMatchObject({ title: 'App', description: null })
    expect((await read(await request('/after-click', { click: 'button' }))).data.title).toBe('Story')
  })

  it('is opened once when a screenshot is taken anyway', async () => {
    const response = await read(await request('/app?screenshot', { screenshot: 'true' }))
    expect(response).toMatchObject({ mode: 'prerender', data: { title: 'Story', screenshot: { type: 'jpg' } } })
    expect(visits('/app?screenshot')).toBe(2)
  })

  it('may have navigated by then; its relative URLs are resolved from there', async () => {
    expect(await read(await request('/moved', { ping: 'false' }))).toMatchObject({
      data: { title: 'Story', author: 'Ann Author', url: `${site.url}/deep/app` },
    })
    const { data, redirects } = await read(await request('/to-app', { ping: 'false' }))
    expect(data.title).toBe('Story')
    expect(redirects).toEqual([{ statusCode: 302, url: `${site.url}/to-app` }])
  })

  it('stays as it was fetched with javascript=false', async () => {
    const response = await read(await request('/app?plain', { javascript: 'false' }))
    expect(response).toMatchObject({ mode: 'fetch', data: { title: 'App', description: null, image: null } })
    expect(visits('/app?plain')).toBe(1)
  })

  it('is not opened when no metadata is requested', async () => {
    expect((await read(await request('/app?none', { meta: 'false' }))).mode).toBe('skipped')
    expect(visits('/app?none')).toBe(1)
  })

  it('that rejects the browser is reported as it was fetched', async () => {
    const response = await read(await request('/refused'))
    expect(response).toMatchObject({
      status: 'success',
      mode: 'fetch',
      statusCode: 200,
      data: { title: 'App' },
      warnings: [expect.stringContaining('status 403')],
    })
  })

  it('is rejected for an invalid parameter that only the browser can detect', async () => {
    const response = await request('/app', { waitForSelector: '..x' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { data: { waitForSelector: expect.any(String) } },
    ])
  })
})

describe('a page whose scripts change its document', () => {
  const paths = Object.keys(SCRIPT_PAGES)

  it.each(paths)('%s has the title of the page, with and without a screenshot', async (path) => {
    const isNeeded = path.startsWith('/needs')
    const alone = await read(await request(path, { ping: 'false' }))
    const captured = await read(await request(path, { ping: 'false', screenshot: 'true' }))
    expect(alone.mode).toBe(isNeeded ? 'prerender' : 'fetch')
    expect(captured.mode).toBe(isNeeded || path === '/home-everywhere' ? 'prerender' : 'fetch')
    expect(captured.data.title).toBe('Brass tide clock')
    if (path !== '/home-everywhere') expect(alone.data.title).toBe('Brass tide clock')
    expect(captured.data.description ?? '').not.toContain('create-react-app')
  })

  it('keeps what only its document declares', async () => {
    const { data } = await read(await request('/needs/removed-tags', { ping: 'false' }))
    expect(data.image?.url).toBe(`${site.url}/cover.png`)
  })
})

it('a rendered result is not replaced when the page can no longer be rendered', async () => {
  const parameters = { staleTtl: '1m' }
  await request('/revalidated', parameters)
  site.routes['/revalidated'] = rejectBrowsers
  now += 120_000
  expect((await read(await request('/revalidated', parameters))).cache).toBe('STALE')
  await expect
    .poll(async () => (await read(await request('/revalidated', parameters))).warnings?.join())
    .toContain('The browser had too little time for the page')
  expect((await read(await request('/revalidated', parameters))).data.title).toBe('Story')
})

it('a page with metadata is not opened in the browser', async () => {
  const renderings = async () => {
    const metrics = await service.fetch(new Request('http://previews.test/metrics'))
    return /^page_preview_renderings_total (\d+)$/m.exec(await metrics.text())![1]
  }
  const before = await renderings()
  expect((await read(await request('/normal'))).mode).toBe('fetch')
  expect([visits('/normal'), await renderings()]).toEqual([1, before])
  await request('/app?counted')
  expect(await renderings()).toBe(String(Number(before) + 1))
})

describe('without a browser', () => {
  it('the result is what was fetched, with a warning, and expires soon', async () => {
    const withoutBrowser = createService({ allowTargets: [site.host], clock: () => now, browser: '/nowhere/chromium' })
    onTestFinished(() => withoutBrowser.close())
    const response = await read(await request('/app?blind', {}, withoutBrowser))
    expect(response).toMatchObject({ status: 'success', mode: 'fetch', cache: 'MISS', data: { title: 'App' } })
    expect(response.warnings).toEqual([expect.stringMatching(/without its scripts.*\.$/)])
    expect(response.warnings!.join()).not.toContain('/nowhere')
    expect((await read(await request('/app?blind', {}, withoutBrowser))).cache).toBe('HIT')
    now += 61_000
    expect((await read(await request('/app?blind', {}, withoutBrowser))).cache).toBe('MISS')
  })
})
