// Covers pages that do not show their content, from the real browser to the response.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse, PageState } from '../../src/query/index.js'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'

const MINUTE = 60_000

let site: LocalSite
let service: Service
let now = Date.parse('2026-01-31T12:00:00Z')

const html =
  (body: string, statusCode = 200, headers: Record<string, string> = {}): Exclude<Route, string> =>
  (_, response) =>
    void response.writeHead(statusCode, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)

const HEAD = '<meta property="og:image" content="/cover.png"><meta name="description" content="How tides are computed">'
const STORY = html(`<!doctype html><html lang="en"><title>Tide tables</title>${HEAD}
  <body style="background:#f6f1e5"><h1>Tide tables</h1><p>Before satellites there was a brass machine in Liverpool, which
  added the waves of forty bodies to one curve, and printed it.</p>`)
const CHALLENGE = `<!doctype html><title>Just a moment...</title><h1>Verifying you are human</h1>
  <p>This may take a few seconds.</p><script>window._cf_chl_opt = {}</script>`
const CHECK_THAT_PASSES = html(
  `${CHALLENGE}<script>setTimeout(() => { document.cookie = 'passed=1'; location.reload() }, 500)</script>`,
  403,
  { 'cf-mitigated': 'challenge' },
)
const BLANK = html(
  `<!doctype html><title>Tide tables</title>${HEAD}<body><div id="root"></div><script>throw new Error('No content')</script>`,
)

/** A page that is `opted-out` keeps nothing. */
const SHOWN: Record<Exclude<PageState, 'opted-out'>, Route> = {
  'bot-check': html(CHALLENGE, 403, { 'cf-mitigated': 'challenge' }),
  blank: BLANK,
  'error-page': html('<!doctype html><title>Page not found</title><h1>404</h1><p>Page not found</p>'),
  consent: html(`<!doctype html><title>Before you continue</title><body><h1>Before you continue</h1>
    <p>We use cookies and data to deliver our services. If you agree, we also use them to show personalised ads.</p>
    <button>Reject all</button> <button>Accept all</button>`),
  login: (_, response) => void response.writeHead(302, { location: '/login?next=/story' }).end(),
}
const LOGIN = html(`<!doctype html><title>Sign in</title><h1>Sign in</h1><form action="/login" method="post">
  <input name="user" autocomplete="username"> <input type="password" name="password"> <button>Sign in</button></form>`)

const request = (path: string, parameters: Record<string, string>) =>
  service.fetch(new Request(`http://previews.test/?${new URLSearchParams({ url: site.url + path, ...parameters })}`))
async function read(path: string, parameters: Record<string, string> = {}) {
  const response = await request(path, parameters)
  const { headers } = response
  const { data, warnings, statusCode } = (await response.json()) as PageResponse
  return { data, warnings, statusCode, cache: headers.get('x-cache-status'), mode: headers.get('x-fetch-mode') }
}

beforeAll(async () => {
  const cover = await sharp({ create: { width: 200, height: 100, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  site = await localSite({
    '/cover.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(cover),
    '/login': LOGIN,
    '/blank': BLANK,
    '/behind-check': (request, response) => {
      const route = request.headers.cookie?.includes('passed=1') ? STORY : CHECK_THAT_PASSES
      route(request, response)
    },
  })
  service = createService({ allowTargets: [site.host], clock: () => now, warm: true })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

describe.each(Object.keys(SHOWN) as (keyof typeof SHOWN)[])(
  'a page that turns into %s after its first capture',
  (state) => {
    const path = `/story-${state.length}-${state[0]}`
    const shot = { screenshot: 'true', ttl: '1m' }

    it('keeps its screenshot and its metadata, in JSON and embedded', async () => {
      site.routes[path] = STORY
      const good = await read(path, shot)
      expect(good).toMatchObject({ cache: 'MISS', data: { title: 'Tide tables', screenshot: { type: 'jpg' } } })
      expect([good.data.state, good.warnings]).toEqual([undefined, undefined])
      const embed = { screenshot: 'true', embed: 'screenshot.url' }
      const picture = await request(path, embed)
      site.routes[path] = SHOWN[state]
      now += 2 * MINUTE
      const earlier = await read(path, shot)
      expect(earlier).toMatchObject({
        cache: 'STALE',
        data: good.data,
        warnings: [expect.stringMatching(/now shows .* served/)],
      })
      const earlierPicture = await request(path, { ...embed, ttl: '1m', staleTtl: 'false' })
      expect(earlierPicture.headers.get('x-cache-status')).toBe('STALE')
      expect(earlierPicture.headers.get('etag')).toBe(picture.headers.get('etag'))
      expect((await read(path, { screenshot: 'true', force: 'true' })).data).toMatchObject({ screenshot: null, state })
      expect(await read(path, { screenshot: 'true' })).toMatchObject({ cache: 'HIT', data: good.data })
    })
  },
)

it('a blank page has no screenshot, and its own image in its place', async () => {
  const page = await read('/blank', { screenshot: 'true' })
  expect(page.data).toMatchObject({ title: 'Tide tables', screenshot: null, state: 'blank' })
  const picture = await request('/blank', { screenshot: 'true', embed: 'true' })
  expect([picture.status, picture.headers.get('x-image-source')]).toEqual([200, 'image'])
  expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ width: 200, format: 'png' })
})

it('a page behind a bot check that the browser passes is read from its document', async () => {
  for (const screenshot of ['false', 'true']) {
    const page = await read('/behind-check', { screenshot })
    expect(page).toMatchObject({
      mode: 'prerender',
      statusCode: 200,
      data: { title: 'Tide tables', description: 'How tides are computed', image: { url: `${site.url}/cover.png` } },
    })
    expect([page.data.state, page.warnings]).toEqual([undefined, undefined])
    expect(page.data.screenshot?.type).toBe(screenshot === 'true' ? 'jpg' : undefined)
  }
})

it('a bot check that the browser does not pass is named without a screenshot too', async () => {
  site.routes['/checked'] = SHOWN['bot-check']
  expect((await read('/checked')).data).toMatchObject({ title: null, state: 'bot-check' })
})
