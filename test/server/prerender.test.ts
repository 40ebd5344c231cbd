import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, redirectTo, type LocalSite, type Route } from '../local-site.js'

const scripted = (head: string, body = '') => `<!doctype html><title>App</title><div id="root">Loading…</div><script>
  const add = (name, content) => document.head.append(Object.assign(document.createElement('meta'), { name, content }))
  const say = () => {
    document.title = 'Story'
    document.documentElement.lang = 'en'
    add('description', 'What it is about')
    document.head.lastChild.insertAdjacentHTML('afterend', '<meta property="og:image" content="/cover.png">')
    root.innerHTML = '<h1>Story</h1><img src="/cover.png">'
  }
  ${head}
</script>${body}`
const AT_ONCE = scripted('say()')
/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const cover: Route = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

const refusing: Route = (request, response) => {
  const isBrowser = request.headers['user-agent']?.includes('Chrome') === true
  response.writeHead(isBrowser ? 403 : 200, { 'content-type': 'text/html' })
  response.end(isBrowser ? '<title>Go away</title>' : AT_ONCE)
}

let site: LocalSite
let service: Service
let now = Date.parse('2026-01-31T12:00:00Z')

const ask = (path: string, words: Record<string, string> = {}, of = service) =>
  of.fetch(new Request(`http://previews.test/?${new URLSearchParams({ url: site.url + path, ...words })}`))
const read = async (response: Response) => ({
  mode: response.headers.get('x-fetch-mode'),
  cache: response.headers.get('x-cache-status'),
  ...((await response.json()) as PageResponse),
})
const visits = (path: string) => site.requests.filter((request) => request === `GET ${path}`).length

beforeAll(async () => {
  site = await localSite({
    '/app': AT_ONCE,
    '/later': scripted(`fetch('/story').then(() => say())`),
    '/after-click': scripted('', '<button onclick="say()">Read</button>'),
    '/story': 'Once upon a time',
    '/cover.png': cover,
    '/moved': `<!doctype html><script>location.replace('/deep/app')</script>`,
    '/deep/app': scripted(`say(); document.head.lastChild.previousSibling; add('author', 'Ann Author')`),
    '/to-app': redirectTo('/app?from=there'),
    '/normal': '<!doctype html><title>Plain</title><meta name="description" content="All said"><script>0</script>',
    '/refused': refusing,
    '/renewed': AT_ONCE,
  })
  service = createService({ allowTargets: [site.host], clock: () => now, warm: true })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

describe('a page that says nothing without its scripts', () => {
  it('is read as they have made it, from the cache too', async () => {
    const answer = await read(await ask('/app'))
    expect(answer).toMatchObject({
      status: 'success',
      mode: 'prerender',
      cache: 'MISS',
      data: {
        title: 'Story',
        description: 'What it is about',
        lang: 'en',
        image: { url: `${site.url}/cover.png`, width: 1, height: 1, type: 'png' },
      },
      statusCode: 200,
    })
    expect(answer.warnings).toBeUndefined()
    expect(await read(await ask('/app'))).toMatchObject({ mode: 'prerender', cache: 'HIT', data: { title: 'Story' } })
    expect(visits('/app')).toBe(2)
    // Asked for by the check of addresses alone: nobody sees the page.
    expect(visits('/cover.png')).toBe(1)
  })

  it('is waited for, also by the words of the query', async () => {
    expect((await read(await ask('/later'))).data.title).toBe('Story')
    expect((await read(await ask('/after-click'))).data).toMatchObject({ title: 'App', description: null })
    expect((await read(await ask('/after-click', { click: 'button' }))).data.title).toBe('Story')
  })

  it('is opened once when a screenshot is taken anyway', async () => {
    const answer = await read(await ask('/app?picture', { screenshot: 'true' }))
    expect(answer).toMatchObject({ mode: 'prerender', data: { title: 'Story', screenshot: { type: 'jpg' } } })
    expect(visits('/app?picture')).toBe(2)
  })

  it('may be elsewhere by then; what it names is found from there', async () => {
    expect(await read(await ask('/moved', { ping: 'false' }))).toMatchObject({
      data: { title: 'Story', author: 'Ann Author', url: `${site.url}/deep/app` },
    })
    const { data, redirects } = await read(await ask('/to-app', { ping: 'false' }))
    expect(data.title).toBe('Story')
    expect(redirects).toEqual([{ statusCode: 302, url: `${site.url}/to-app` }])
  })

  it('stays as it was fetched with javascript=false', async () => {
    const answer = await read(await ask('/app?plain', { javascript: 'false' }))
    expect(answer).toMatchObject({ mode: 'fetch', data: { title: 'App', description: null, image: null } })
    expect(visits('/app?plain')).toBe(1)
  })

  it('is not opened when no metadata is wanted', async () => {
    expect((await read(await ask('/app?none', { meta: 'false' }))).mode).toBe('skipped')
    expect(visits('/app?none')).toBe(1)
  })

  it('that refuses the browser is told of as it was fetched', async () => {
    const answer = await read(await ask('/refused'))
    expect(answer).toMatchObject({
      status: 'success',
      mode: 'fetch',
      statusCode: 200,
      data: { title: 'App' },
      warnings: [expect.stringContaining('status 403')],
    })
  })

  it('is refused for a word that only the browser can tell is wrong', async () => {
    const response = await ask('/app', { waitForSelector: '..x' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { data: { waitForSelector: expect.any(String) } },
    ])
  })
})

it('what the scripts said is not given up for a page that could not be rendered', async () => {
  const words = { staleTtl: '1m' }
  await ask('/renewed', words)
  site.routes['/renewed'] = refusing
  now += 120_000
  expect((await read(await ask('/renewed', words))).cache).toBe('STALE')
  await expect
    .poll(async () => (await read(await ask('/renewed', words))).warnings?.join())
    .toContain('The scripts of the page could not be run')
  expect((await read(await ask('/renewed', words))).data.title).toBe('Story')
})

it('a page that speaks for itself costs no browser', async () => {
  const renderings = async () => {
    const metrics = await service.fetch(new Request('http://previews.test/metrics'))
    return /^page_preview_renderings_total (\d+)$/m.exec(await metrics.text())![1]
  }
  const before = await renderings()
  expect((await read(await ask('/normal'))).mode).toBe('fetch')
  expect([visits('/normal'), await renderings()]).toEqual([1, before])
  await ask('/app?counted')
  expect(await renderings()).toBe(String(Number(before) + 1))
})

describe('without a browser', () => {
  it('an answer is given from what was fetched, with a warning, and made again soon', async () => {
    const blind = createService({ allowTargets: [site.host], clock: () => now, browser: '/nowhere/chromium' })
    onTestFinished(() => blind.close())
    const answer = await read(await ask('/app?blind', {}, blind))
    expect(answer).toMatchObject({ status: 'success', mode: 'fetch', cache: 'MISS', data: { title: 'App' } })
    expect(answer.warnings).toEqual([expect.stringMatching(/without its scripts.*\.$/)])
    expect(answer.warnings!.join()).not.toContain('/nowhere')
    expect((await read(await ask('/app?blind', {}, blind))).cache).toBe('HIT')
    now += 61_000
    expect((await read(await ask('/app?blind', {}, blind))).cache).toBe('MISS')
  })
})
