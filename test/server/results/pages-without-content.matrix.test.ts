// Covers what becomes of pages that do not show their content: results, cache and metadata.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PageError, type PageState } from '../../../src/query/index.js'
import type { ExtractionResult } from '../../../src/server/results/index.js'
import { resultKey } from '../../../src/server/results/extraction-result.js'
import { slowCases } from '../../shared/slow-cases.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'
import type { Route } from '../../local-site.js'
import { requestScope } from '../request-scope.js'
import { startApp } from './start-app.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const STATES: PageState[] = ['bot-check', 'error-page', ...slowCases<PageState>('blank', 'consent', 'login')]
const SHOT = { screenshot: 'true', 'meta.title': 'true' }
const PAGE = '<title>Page</title><h1>Page</h1>'

let redis: TestRedis | undefined
beforeAll(async () => {
  redis = hasRedis ? await startRedis() : undefined
})
afterAll(() => redis?.close())

describe.each(['SQLite', ...slowCases('Redis').filter(() => hasRedis)])('with results in %s', (kind) => {
  const start = () => startApp({ routes: { '/': PAGE }, redis: kind === 'Redis' ? redis!.freshUrl() : undefined })

  it.each(STATES)('a page that shows %s has no screenshot, a reason, and ten minutes', async (state) => {
    const { seen, readPage, site, store } = await start()
    seen.state = state
    const page = await readPage(SHOT)
    expect(page).toMatchObject({ status: 'success', cache: 'MISS', ttl: 10 * MINUTE })
    expect(page.data).toEqual({ title: 'Page', screenshot: null, state })
    expect(page.warnings).toEqual([expect.stringMatching(/^The page shows .* instead of its content, so there is no/)])
    expect(page.warnings![0]).toContain('opened again after 2026-01-31T12:10:00.000Z')
    expect(page.header('cache-control')).toBe('public, max-age=600')
    const key = resultKey(requestScope({ url: `${site.url}/`, screenshot: true, meta: { title: true } }))
    expect(await store.entries.readEntry<ExtractionResult>(key)).toMatchObject({
      images: [],
      body: { screenshot: null },
    })
    expect(await readPage(SHOT)).toMatchObject({ cache: 'HIT', data: page.data, warnings: page.warnings })
  })

  it('is opened again after ten minutes, then after twenty, at most every hour, whatever its ttl', async () => {
    const { seen, readPage, time, visits } = await start()
    seen.state = 'blank'
    const pauses: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const { ttl, cache } = await readPage({ ...SHOT, ttl: '1m', staleTtl: '0' })
      expect(cache).toBe('MISS')
      pauses.push(ttl / MINUTE)
      time.now += ttl - 1
      expect((await readPage({ ...SHOT, ttl: '31d', staleTtl: '1m' })).cache).toBe('HIT')
      time.now += 1
    }
    expect(pauses).toEqual([10, 20, 40, 60, 60])
    expect(visits).toHaveLength(5)
    seen.state = undefined
    const good = await readPage(SHOT)
    expect(good).toMatchObject({ cache: 'MISS', ttl: 24 * 60 * MINUTE, data: { screenshot: { type: 'png' } } })
    expect(good.warnings).toBeUndefined()
  })

  it.each(STATES)('a good result stays when its ttl is over and the page shows %s', async (state) => {
    const { seen, readPage, time, visits } = await start()
    const good = await readPage(SHOT)
    expect(good).toMatchObject({ cache: 'MISS', data: { title: 'Page', screenshot: { type: 'png' } } })
    seen.state = state
    time.now += 2 * MINUTE
    const kept = await readPage({ ...SHOT, ttl: '1m' })
    expect(kept).toMatchObject({ cache: 'STALE', data: good.data })
    expect(kept.warnings).toEqual([
      expect.stringMatching(/^The page now shows .*the earlier result is served.*12:12:00/),
    ])
    expect(kept.header('x-timestamp')).toBe(good.header('x-timestamp'))
    // The page is opened again after its pause, and not before.
    time.now += 9 * MINUTE
    expect(await readPage({ ...SHOT, ttl: '1m' })).toMatchObject({ cache: 'STALE', data: good.data })
    expect(visits).toHaveLength(2)
    time.now += 2 * MINUTE
    expect((await readPage({ ...SHOT, ttl: '1m' })).warnings![0]).toContain('12:33:00')
    expect(visits).toHaveLength(3)
    expect(await readPage(SHOT)).toMatchObject({ cache: 'HIT', data: good.data })
    seen.state = undefined
    seen.colour = 'green'
    time.now += 20 * MINUTE
    const recovered = await readPage({ ...SHOT, ttl: '1m' })
    expect(recovered.cache).toBe('MISS')
    expect(recovered.data.screenshot!.url).not.toBe(good.data.screenshot!.url)
    // What was found before the page recovered is forgotten.
    time.now += 2 * MINUTE
    expect(await readPage({ ...SHOT, ttl: '1m' })).toMatchObject({ cache: 'MISS' })
  })

  it.each(STATES)('a good result survives a revalidation that finds %s', async (state) => {
    const { seen, readPage, time, visits } = await start()
    const good = await readPage(SHOT)
    seen.state = state
    time.now += 2 * MINUTE
    expect(await readPage({ ...SHOT, staleTtl: '1m' })).toMatchObject({ cache: 'STALE', data: good.data })
    await expect
      .poll(async () => (await readPage({ ...SHOT, staleTtl: '1m' })).warnings?.join())
      .toMatch(/now shows.*served/)
    time.now += 9 * MINUTE
    expect(await readPage({ ...SHOT, staleTtl: '1m' })).toMatchObject({ cache: 'STALE', data: good.data })
    expect(visits).toHaveLength(2)
    // In Redis, the claim of the first revalidation is over after a minute of the real clock.
    if (kind === 'Redis') return
    time.now += 2 * MINUTE
    await readPage({ ...SHOT, staleTtl: '1m' })
    await expect.poll(() => visits).toHaveLength(3)
  })

  it.each(STATES)('a good result outlives its time in the cache while the page shows %s', async (state) => {
    const { seen, readPage, time, visits } = await start()
    const good = await readPage(SHOT)
    seen.state = state
    time.now += DAY - MINUTE
    await readPage({ ...SHOT, ttl: '1m' })
    expect(visits).toHaveLength(2)
    // Just before and after each time that the page is opened again.
    const expectKept = async (minutes: number, openings: number) => {
      time.now += minutes * MINUTE
      expect(await readPage(SHOT)).toMatchObject({ cache: 'STALE', data: good.data })
      expect(visits).toHaveLength(openings)
    }
    await expectKept(9, 2)
    await expectKept(2, 3)
    await expectKept(19, 3)
    await expectKept(2, 4)
    seen.state = undefined
    seen.colour = 'green'
    time.now += 40 * MINUTE
    expect(await readPage(SHOT)).toMatchObject({ cache: 'MISS', data: { screenshot: { type: 'png' } } })
    time.now += 2 * MINUTE
    expect((await readPage(SHOT)).cache).toBe('HIT')
  })

  it('a good result is kept for 31 days at most', async () => {
    const { seen, readPage, time } = await start()
    const good = await readPage({ ...SHOT, ttl: '31d' })
    seen.state = 'blank'
    time.now += 31 * DAY - MINUTE
    expect(await readPage(SHOT)).toMatchObject({ cache: 'STALE', data: good.data })
    time.now += 2 * MINUTE
    expect(await readPage(SHOT)).toMatchObject({ cache: 'MISS', data: { screenshot: null, state: 'blank' } })
  })

  it.each(STATES)('a good result survives force if the page shows %s', async (state) => {
    const { seen, readPage } = await start()
    const good = await readPage(SHOT)
    seen.state = state
    expect(await readPage({ ...SHOT, force: 'true' })).toMatchObject({
      cache: 'BYPASS',
      data: { screenshot: null, state },
    })
    expect(await readPage(SHOT)).toMatchObject({ cache: 'HIT', data: good.data })
  })
})

describe('a bot check met without a browser', () => {
  const challenge: Route = (_, response) => {
    response.writeHead(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
    response.end('<title>Just a moment...</title><script>1</script>')
  }
  const CONTENT = `<html lang="en"><title>Story</title><meta name="description" content="What happened">
    <meta property="og:image" content="/cover.png"><h1>Story</h1>`
  const start = async () => {
    const app = await startApp({ routes: { '/': challenge } })
    return { ...app, cover: `${app.site.url}/cover.png` }
  }
  const RAW = { ping: 'false' }

  it('is passed by the browser, whose document is read', async () => {
    const { seen, readPage, cover, visits } = await start()
    seen.html = CONTENT
    const page = await readPage(RAW)
    expect(page).toMatchObject({ mode: 'prerender', statusCode: 200, ttl: 24 * 60 * MINUTE })
    expect(page.data).toMatchObject({ title: 'Story', description: 'What happened', lang: 'en', image: { url: cover } })
    expect([page.data.state, page.warnings]).toEqual([undefined, undefined])
    const withScreenshot = await readPage({ ...RAW, screenshot: 'true' })
    expect(withScreenshot).toMatchObject({ mode: 'prerender', statusCode: 200 })
    expect(withScreenshot.data).toMatchObject({ title: 'Story', image: { url: cover }, screenshot: { type: 'png' } })
    expect([withScreenshot.data.state, withScreenshot.warnings]).toEqual([undefined, undefined])
    expect(visits).toHaveLength(2)
  })

  it('is reported if the browser does not pass it either', async () => {
    const { seen, readPage, site } = await start()
    Object.assign(seen, { state: 'bot-check', html: CONTENT })
    const page = await readPage(RAW)
    expect(page).toMatchObject({ mode: 'fetch', statusCode: 403, ttl: 10 * MINUTE })
    expect(page.data).toMatchObject({ title: null, image: null, url: `${site.url}/`, state: 'bot-check' })
    expect(page.warnings).toEqual([expect.stringMatching(/a bot check .* its metadata could not be read; .*12:10/)])
  })

  it.each([RAW, { ...RAW, screenshot: 'true' }])(
    'is an article about them if the browser sees one, for %o',
    async (query) => {
      const { seen, readPage } = await start()
      seen.html = `${CONTENT}<p>Cloudflare writes <code>_cf_chl_opt</code>.`
      const page = await readPage(query)
      expect(page).toMatchObject({ mode: 'prerender', statusCode: 200, data: { title: 'Story', lang: 'en' } })
      expect([page.data.state, page.warnings]).toEqual([undefined, undefined])
    },
  )

  it('is reported for a minute if no browser can open it', async () => {
    const { seen, readPage } = await start()
    seen.error = new PageError('EBUSY', 'No browser.')
    const page = await readPage(RAW)
    expect(page).toMatchObject({ mode: 'fetch', ttl: MINUTE, data: { state: 'bot-check' } })
    expect(page.warnings!.join()).toContain('the browser could not open it: No browser.')
  })

  it('replaces no metadata that was read before', async () => {
    const { seen, site, readPage, time } = await start()
    site.routes['/'] = CONTENT
    const good = await readPage(RAW)
    site.routes['/'] = challenge
    seen.state = 'bot-check'
    time.now += 2 * MINUTE
    expect(await readPage({ ...RAW, ttl: '1m' })).toMatchObject({ cache: 'STALE', mode: 'fetch', data: good.data })
    expect(await readPage({ ...RAW, force: 'true' })).toMatchObject({ data: { title: null, state: 'bot-check' } })
    expect(await readPage(RAW)).toMatchObject({ cache: 'HIT', data: good.data })
  })

  it('is filtered like a field, and needs a screenshot or metadata', async () => {
    const { seen, readPage, visits } = await start()
    seen.state = 'bot-check'
    expect((await readPage({ ...RAW, filter: 'title' })).data).toEqual({ title: null })
    expect((await readPage({ ...RAW, filter: 'title,state' })).data).toEqual({ title: null, state: 'bot-check' })
    expect((await readPage({ meta: 'false', screenshot: 'true' })).data).toEqual({
      screenshot: null,
      state: 'bot-check',
    })
    const before = visits.length
    expect(await readPage({ meta: 'false' })).toMatchObject({ data: {}, mode: 'skipped', statusCode: 403 })
    expect(visits).toHaveLength(before)
  })
})

it('is counted by what the page showed, with a line in the log that names its host alone', async () => {
  const { seen, readPage, metrics, lines } = await startApp({ routes: { '/': PAGE, '/other': PAGE } })
  seen.state = 'login'
  await readPage(SHOT)
  await readPage(SHOT)
  await readPage(SHOT, '/other')
  const { text } = await metrics.read()
  expect(text).toContain('page_preview_pages_without_content_total{state="login"} 2')
  expect(text).toContain('page_preview_pages_without_content_total{state="blank"} 0')
  const line = { level: 'info', event: 'page-without-content', state: 'login', targetHost: '127.0.0.1' }
  expect(lines).toEqual([line, line].map((each) => expect.objectContaining(each)))
})
