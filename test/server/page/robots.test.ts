import { expect, it, onTestFinished, vi } from 'vitest'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { createRobots } from '../../../src/server/page/index.js'
import { localSite, redirectTo, type Route } from '../../local-site.js'
import { send } from './page-site.js'

const EXCLUDED = 'User-agent: PagePreviewbot\nDisallow: /private'
const client = 'test'
const { signal } = new AbortController()

/** The robots.txt of a local site, for a service whose clock the test moves. */
async function startSite(
  route: Route | undefined,
  { userAgent, areIgnored }: { userAgent?: string; areIgnored?: boolean } = {},
) {
  const site = await localSite(route === undefined ? {} : { '/robots.txt': route })
  const guard = createGuard({ allowTargets: [site.host] })
  const dispatcher = createDispatcher(guard, userAgent === undefined ? {} : { userAgent })
  onTestFinished(async () => {
    await dispatcher.destroy()
    await site.close()
  })
  const time = { now: 0 }
  const robots = createRobots({ guard, dispatcher, areIgnored, now: () => time.now })
  const urlOf = (path: string) => site.url + path
  return {
    site,
    time,
    robots,
    urlOf,
    allows: (path: string) => robots.allows(urlOf(path), { client, signal }),
    isExcluded: (path: string) => robots.isExcluded(urlOf(path)),
  }
}

it('requests the robots.txt of a site once for many pages, and again after an hour', async () => {
  const { site, time, allows, isExcluded } = await startSite(EXCLUDED)
  expect(isExcluded('/private')).toBe(false)
  expect(await Promise.all([allows('/'), allows('/private'), allows('/private/page')])).toEqual([true, false, false])
  expect([isExcluded('/'), isExcluded('/private')]).toEqual([false, true])
  time.now += 3_599_000
  expect(await allows('/private')).toBe(false)
  expect(site.requests).toEqual(['GET /robots.txt'])
  time.now += 2_000
  site.routes['/robots.txt'] = 'User-agent: PagePreviewbot\nAllow: /'
  expect(isExcluded('/private')).toBe(false)
  expect(await allows('/private')).toBe(true)
  expect(site.requests).toHaveLength(2)
})

const withoutRules: [name: string, route: Route | undefined][] = [
  ['does not exist', undefined],
  ['is forbidden', send(EXCLUDED, {}, 403)],
  ['fails', send(EXCLUDED, {}, 503)],
  ['redirects in a circle', redirectTo('/robots.txt')],
  ['redirects to a private address', redirectTo('http://10.0.0.1/robots.txt')],
  ['is not HTTP', (request) => void request.socket.end('hello\r\n\r\n')],
  [
    'ends too early',
    (_, response) =>
      void response.writeHead(200, { 'content-length': '1000' }).write(EXCLUDED, () => response.destroy()),
  ],
]
it.each(withoutRules)('excludes nothing if the robots.txt %s', async (_, route) => {
  const { allows } = await startSite(route)
  expect(await allows('/private')).toBe(true)
})

it('excludes what an earlier robots.txt did while the server fails, and asks again after five minutes', async () => {
  const { site, time, allows } = await startSite(EXCLUDED)
  await allows('/')
  site.routes['/robots.txt'] = send('', {}, 500)
  time.now += 3_600_000
  expect(await allows('/private')).toBe(false)
  time.now += 299_000
  expect(await allows('/private')).toBe(false)
  expect(site.requests).toHaveLength(2)
  time.now += 2_000
  site.routes['/robots.txt'] = send('', {}, 404)
  expect(await allows('/private')).toBe(true)
})

it('follows redirects to the robots.txt', async () => {
  const { site, allows } = await startSite(redirectTo('/rules.txt'))
  site.routes['/rules.txt'] = EXCLUDED
  expect(await allows('/private')).toBe(false)
})

it('reads the first 500 kB, without the line that is cut off', async () => {
  const rest = `${'#'.repeat(499)}\n`.repeat(1_030)
  const { site, time, allows } = await startSite(`${EXCLUDED}\n${rest}Disallow: /late`)
  expect(await Promise.all([allows('/private'), allows('/late')])).toEqual([false, true])
  site.routes['/robots.txt'] = `User-agent: PagePreviewbot\nDisallow: /${'a'.repeat(600_000)}`
  time.now += 3_600_000
  expect(await allows('/a')).toBe(true)
})

it('does not wait for a robots.txt that does not come', { timeout: 10_000 }, async () => {
  const { site, allows } = await startSite(() => undefined)
  const startedAt = performance.now()
  expect(await allows('/private')).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(await allows('/private')).toBe(true)
  expect(site.requests).toHaveLength(1)
})

it('lets a caller leave while others wait', async () => {
  const respond: (() => void)[] = []
  const { site, robots, urlOf, allows } = await startSite(
    (_, response) => void respond.push(() => response.end(EXCLUDED)),
  )
  const caller = new AbortController()
  const left = robots.allows(urlOf('/private'), { client, signal: caller.signal })
  const other = allows('/private')
  await vi.waitFor(() => expect(respond).toHaveLength(1))
  caller.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  respond[0]!()
  expect(await other).toBe(false)
  expect(site.requests).toHaveLength(1)
})

it('obeys the name that an operator gives it, too', async () => {
  const rules = `User-agent: ExampleBot\nDisallow: /example\n${EXCLUDED}`
  for (const userAgent of ['Mozilla/5.0 (compatible; ExampleBot/2; +https://example.com)', 'ExampleBot/2']) {
    const { allows } = await startSite(rules, { userAgent })
    expect(await Promise.all(['/example', '/private', '/'].map(allows))).toEqual([false, false, true])
  }
  const { allows } = await startSite(rules)
  expect(await allows('/example')).toBe(true)
})

it('requests nothing if the operator ignores it', async () => {
  const { site, allows, isExcluded } = await startSite(EXCLUDED, { areIgnored: true })
  expect([await allows('/private'), isExcluded('/private')]).toEqual([true, false])
  expect(site.requests).toEqual([])
})

it('leaves the time of crawl-delay between two visits of a host, at most ten seconds', async () => {
  const { time, robots, urlOf, allows } = await startSite('User-agent: PagePreviewbot\nCrawl-delay: 60')
  const takeTurn = (maxWaitMs = 0) => robots.takeTurn(urlOf('/'), { maxWaitMs, signal })
  await takeTurn()
  await takeTurn()
  // Known from here on, and this visit counts.
  await allows('/')
  await expect(takeTurn()).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 10_000 })
  time.now += 9_999
  await takeTurn(5)
  await expect(takeTurn(10_000)).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 10_001 })
  time.now += 10_001
  await takeTurn()
})

it('ends the wait for a turn with its caller', async () => {
  const { robots, urlOf, allows } = await startSite('User-agent: PagePreviewbot\nCrawl-delay: 10')
  await allows('/')
  const caller = new AbortController()
  const turn = robots.takeTurn(urlOf('/'), { maxWaitMs: 20_000, signal: caller.signal })
  caller.abort(new Error('left'))
  await expect(turn).rejects.toThrow('left')
})
