// Covers one client that starts more work than there are turns, against the built service: others get theirs.
import autocannon from 'autocannon'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const REQUESTS = 100
/** A page holds its turn this long. */
const PAGE_MS = 2_000
const SLOW_HTML = `<title>T</title>${'<div>'.repeat(100_000)}${'</a>'.repeat(20_000)}`

let service: AttackedService
beforeAll(async () => {
  const noise = await sharp({
    create: { width: 300, height: 300, channels: 3, background: 'red', noise: { type: 'gaussian', sigma: 60 } },
  })
    .png()
    .toBuffer()
  service = await startAttackedService(
    {
      '/slow': (_, response) => void setTimeout(() => response.end('<title>Slow</title>'), PAGE_MS),
      '/html': SLOW_HTML,
      '/image': '<title>Image</title><meta property="og:image" content="/noise.png">',
      '/noise.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(noise),
    },
    ['--trust-proxy=1'],
  )
})
afterAll(() => service.stop())

const ATTACKER = { 'x-forwarded-for': '192.0.2.66' }

const queriesOf = (path: string, more: Record<string, string> = {}) =>
  Array.from({ length: REQUESTS }, (_, n) => ({ url: `${service.site.url}${path}?n=${n}`, ping: 'false', ...more }))

it.each([
  ['pages that respond after 2 seconds', () => queriesOf('/slow')],
  ['pages that are slow to parse', () => queriesOf('/html')],
  ['embedded images', () => queriesOf('/image', { embed: 'image.url' })],
  ['palettes', () => queriesOf('/image', { palette: 'true' })],
])(`serves others beside ${REQUESTS} requests of one client for %s`, async (name, queries) => {
  const report = await service.attack(`${REQUESTS} requests for ${name}`, async (signal) => {
    const requests = queries().map(async (query) => {
      const response = await service.get(query, { headers: ATTACKER, signal })
      await response.arrayBuffer()
      return response.status
    })
    const statuses = await Promise.all(requests)
    // Those that find no room may fail, with the reason.
    for (const status of statuses) expect([200, 503, 504]).toContain(status)
    expect(statuses).toContain(200)
  })
  expectContained(report)
})

/** Longer than the response cache in memory takes, as each of these URLs is. */
const repeated = (parameter: (n: number) => string) =>
  Array.from({ length: 200 }, (_, n) => `&${parameter(n)}`).join('')
const PADDING = 'abcdefgh'.repeat(5)

it.each([
  ['unknown parameters', repeated((n) => `${PADDING}${n}=1`)],
  ['long unknown parameters', repeated((n) => `${PADDING.repeat(5)}${n}=1`)],
  ['headers', repeated((n) => `headers.${PADDING}${n}=1`)],
  ['fields', repeated((n) => `meta.${PADDING}${n}=true`)],
  [
    'paths that are filtered',
    `&filter=${Array.from({ length: 1_000 }, (_, n) => `a.b${n}`).join()}${repeated((n) => `${n}=1`)}`,
  ],
])('serves others beside 240 connections of one client for a cached result with 200 %s', async (name, parameters) => {
  const url = `${service.url}?url=${encodeURIComponent(`${service.site.url}/image`)}&ping=false${parameters}`
  const headers = { ...ATTACKER, 'accept-encoding': 'br' }
  expect((await fetch(url, { headers })).status).toBe(200)
  const report = await service.attack(`240 connections for a cached result with 200 ${name}`, async () => {
    const { non2xx, requests } = await autocannon({ url, headers, connections: 240, duration: 4, workers: 1 })
    expect(non2xx).toBe(0)
    expect(requests.total).toBeGreaterThan(0)
  })
  expectContained(report)
})

const listOf = (queryOf: (n: number) => string) =>
  JSON.stringify({ queries: Array.from({ length: 50 }, (_, n) => queryOf(n)) })
const pageUrl = (path: string) => encodeURIComponent(`${service.site.url}${path}`)

it('serves others beside 240 connections of one client with lists of 50 cached results', async () => {
  const url = `${service.url}previews`
  const body = listOf(() => `url=${pageUrl('/image')}&ping=false`)
  const report = await service.attack('240 connections with lists of 50 cached results', async () => {
    const { non2xx, requests } = await autocannon({
      url,
      method: 'POST',
      body,
      headers: ATTACKER,
      connections: 240,
      // All lists end at about the same time, because they take turns.
      duration: 15,
      workers: 1,
    })
    expect(non2xx).toBe(0)
    expect(requests.total).toBeGreaterThan(0)
  })
  expectContained(report)
})

it('serves others beside 20 lists of one client with 50 new pages each', async () => {
  const report = await service.attack('20 lists of 50 new pages', async (signal) => {
    const lists = Array.from({ length: 20 }, async (_, list) => {
      const body = listOf((n) => `url=${pageUrl(`/slow?list=${list}-${n}`)}&ping=false&timeout=9s`)
      const response = await fetch(`${service.url}previews`, { method: 'POST', body, headers: ATTACKER, signal })
      const lines = (await response.text()).trim().split('\n')
      return lines.map((line) => (JSON.parse(line) as { status: number }).status)
    })
    const statuses = (await Promise.all(lists)).flat()
    expect(statuses).toHaveLength(1_000)
    for (const status of statuses) expect([200, 503, 504]).toContain(status)
    expect(statuses).toContain(200)
  })
  expectContained(report)
})
