// Covers the metrics of what the service is and does.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errorCodes } from '../../../src/query/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let site: LocalSite
let service: Service
let now = Date.now()
let isDown = false
let whenHeld: (() => void) | undefined

beforeAll(async () => {
  site = await localSite({
    '/': '<title>A page</title>',
    '/changing': (_, response) =>
      void response
        .writeHead(isDown ? 500 : 200, { 'content-type': 'text/html' })
        .end(isDown ? '' : '<title>A page</title><meta name="description" content="About it">'),
    '/image.png': (_, response) => {
      whenHeld?.()
      whenReleased.then(() => response.writeHead(204).end()).catch(() => undefined)
    },
    '/held': '<title>Held</title><img src="/image.png">',
  })
  service = createService({ allowTargets: [site.host], concurrency: 1, warm: true, clock: () => now })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

let release: () => void
const whenReleased = new Promise<void>((resolve) => (release = resolve))

const requestPage = (query: Record<string, string>) =>
  service.fetch(new Request(`http://previews.test/?${new URLSearchParams(query)}`))
async function readMetrics(): Promise<Map<string, number>> {
  const text = await (await service.fetch(new Request('http://previews.test/metrics'))).text()
  const samples = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}
const metric = async (name: string) => (await readMetrics()).get(`page_preview_${name}`)

it('counts errors by code, and has a series for each code of the table that is sent', async () => {
  await requestPage({ url: `${site.url}/`, ttl: 'nonsense' })
  await requestPage({ url: 'http://10.0.0.1/' })
  const metrics = await readMetrics()
  const codes = [...metrics.keys()].flatMap(
    (name) => /^page_preview_errors_total\{code="(\w+)"\}$/.exec(name)?.[1] ?? [],
  )
  const sent = Object.entries(errorCodes).flatMap(([code, status]) => (status || code === 'EABORTED' ? code : []))
  expect(codes.toSorted()).toEqual(sent.toSorted())
  expect(metrics.get('page_preview_errors_total{code="EINVALTTL"}')).toBe(1)
  expect(metrics.get('page_preview_errors_total{code="EFORBIDDENURL"}')).toBe(1)
  expect(metrics.get('page_preview_errors_total{code="EFATAL"}')).toBe(0)
})

it('counts targets that the guard refuses, by reason', async () => {
  const before = await metric('egress_refusals_total{reason="address"}')
  await requestPage({ url: 'http://10.0.0.2/' })
  await requestPage({ url: 'http://example.com:25/' })
  expect(await metric('egress_refusals_total{reason="address"}')).toBeGreaterThan(before!)
  expect(await metric('egress_refusals_total{reason="port"}')).toBeGreaterThanOrEqual(1)
})

it('shows which slots are busy, what waits, and how long it has waited', async () => {
  const held = new Promise<void>((resolve) => (whenHeld = resolve))
  const first = requestPage({ url: `${site.url}/held`, screenshot: 'true', meta: 'false' })
  await held
  const second = requestPage({ url: `${site.url}/?second`, screenshot: 'true', meta: 'false' })
  await expect.poll(() => metric('queue')).toBe(1)
  // One, and one for a client with nothing running, but not for a second page of the same host.
  expect(await metric('slots')).toBe(2)
  expect(await metric('slots_busy')).toBe(1)
  release()
  await Promise.all([first, second])
  expect(await metric('slots_busy')).toBe(0)
  expect(await metric('queue_wait_seconds_count')).toBe(2)
  expect(await metric('queue_wait_seconds_sum')).toBeGreaterThan(0)
})

it('shows the age of the browser, and how often it was started again', async () => {
  await requestPage({ url: `${site.url}/`, screenshot: 'true' })
  expect(await metric('browser_age_seconds')).toBeGreaterThan(0)
  expect(await metric('browser_restarts_total')).toBe(0)
})

it('counts revalidations by what became of them', async () => {
  const query = { url: `${site.url}/changing`, staleTtl: '0' }
  await requestPage(query)
  now += 120_000
  await requestPage(query)
  await expect.poll(() => metric('revalidations_total{outcome="done"}')).toBe(1)
  isDown = true
  now += 120_000
  await requestPage(query)
  await expect.poll(() => metric('revalidations_total{outcome="failed"}')).toBe(1)
  expect(await metric('revalidations_started_total')).toBe(2)
})
