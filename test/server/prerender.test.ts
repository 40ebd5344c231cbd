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
const PNG = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#257' } })
  .png()
  .toBuffer()
const cover: Route = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

const rejectBrowsers: Route = (request, response) => {
  const isBrowser = request.headers['user-agent']?.includes('Chrome') === true
  response.writeHead(isBrowser ? 403 : 200, { 'content-type': 'text/html' })
  response.end(isBrowser ? '<title>Access denied</title>' : IMMEDIATE)
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
        image: { url: `${site.url}/cover.png`, width: 200, height: 100, type: 'png' },
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
