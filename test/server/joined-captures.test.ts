// Covers that requests which wait for one capture, or for their turn behind it, cause no warning of Node about a leak.
import { expect, it, onTestFinished } from 'vitest'
import { createService } from '../../src/server/index.js'
import { localSite } from '../local-site.js'
import { recordListenerWarnings } from '../shared/record-listener-warnings.js'

/** Node warns of the eleventh listener of one signal. */
const REQUESTS = 11
const SMALL = { 'viewport.width': '200', 'viewport.height': '100', 'viewport.deviceScaleFactor': '1' }

it('lets eleven requests join one capture, and eleven others wait for the browser, without a warning', async () => {
  const warnings = recordListenerWarnings()
  const release: (() => void)[] = []
  const site = await localSite({
    '/': '<!doctype html><title>Page</title><h1>Hello</h1>',
    '/held': '<!doctype html><title>Page</title><script src="/held.js"></script>',
    '/held.js': (_, response) => void release.push(() => response.end()),
  })
  const service = createService({ allowTargets: [site.host], concurrency: 1, warm: true, logLevel: 'silent' })
  onTestFinished(async () => {
    await service.close()
    await site.close()
  })
  await service.ready()
  const statusOf = async (path: string, signal?: AbortSignal) => {
    const query = new URLSearchParams({ url: site.url + path, screenshot: 'true', ...SMALL })
    const request = new Request(`http://previews.test/?${query}`, signal ? { signal } : {})
    return (await service.fetch(request, { peerAddress: '192.0.2.1' })).status
  }
  const joined = Array.from({ length: REQUESTS }, () => statusOf('/held'))
  await expect.poll(() => release.length, { timeout: 30_000 }).toBe(1)
  const callers = Array.from({ length: REQUESTS }, () => new AbortController())
  const waiting = callers.map(({ signal }, n) => statusOf(`/?${n}`, signal))
  await expect.poll(() => site.requests.filter((line) => line.startsWith('GET /?')).length).toBe(REQUESTS)
  for (const caller of callers) caller.abort()
  await Promise.allSettled(waiting)
  release[0]!()
  expect(await Promise.all(joined)).toEqual(joined.map(() => 200))
  expect(site.requests.filter((line) => line === 'GET /held.js')).toHaveLength(1)
  expect(warnings).toEqual([])
}, 120_000)
