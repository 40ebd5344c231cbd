// Covers host names whose name server never answers: others are served beside any number of their look-ups, and a look-up that
// timed out is not remembered as a fact about the page. In the network namespace alone, because only there the test has a name server.
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'
import { startNameServer, type AnsweredName, type NameServer } from './name-server.js'
import { isIsolated, PUBLIC_ADDRESS } from './victims.js'

/** The table has the limit; a shared machine pauses all processes for up to 2 seconds. A blocked look-up takes 5 seconds, and fails. */
const MAX_INNOCENT_MS = 4_000
const PAUSE_MS = 20
const DEAD_IMAGES = 500
const ATTACKER = { 'x-forwarded-for': '192.0.2.66' }
const INNOCENT = { 'x-forwarded-for': '198.51.100.7' }

const isolated = await isIsolated()
let service: AttackedService
let names: NameServer
let site: LocalSite
let recovering: AnsweredName = 'silence'

beforeAll(async () => {
  if (!isolated) return
  names = await startNameServer((name) => {
    if (name.endsWith('.dead.example')) return 'silence'
    return name === 'recovering.example' ? recovering : [PUBLIC_ADDRESS]
  })
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  site = await localSite(
    {
      '/': '<title>Found by its name</title>',
      '/image': '<title>Image</title><meta property="og:image" content="/image.png">',
      '/image.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(image),
      '/dead-images': `<title>Dead images</title>${Array.from(
        { length: DEAD_IMAGES },
        (_, n) => `<img src="http://i${n}.dead.example/i.png">`,
      ).join('')}`,
    },
    0,
    PUBLIC_ADDRESS,
  )
  service = await startAttackedService({}, ['--trust-proxy=1'], names.environment)
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([names?.close(), site?.close()])
})

const siteUrl = (host: string, path: string) => `http://${host}:${new URL(site.url).port}${path}`

interface InnocentCaller {
  slowestMs: number
  failures: unknown[]
}

/** Requests new metadata and new files of images, one after another. */
async function watchInnocentCaller(signal: AbortSignal): Promise<InnocentCaller> {
  const caller: InnocentCaller = { slowestMs: 0, failures: [] }
  for (let n = 0; !signal.aborted; n++) {
    const startedAt = performance.now()
    const url = siteUrl(`n${n}.alive.example`, `/image?${n}`)
    const response = await service.get({ url, ...(n % 2 && { embed: 'image.url' }) }, { headers: INNOCENT })
    const body = Buffer.from(await response.arrayBuffer())
    if (!response.ok) caller.failures.push(String(body))
    caller.slowestMs = Math.max(caller.slowestMs, performance.now() - startedAt)
    await delay(PAUSE_MS)
  }
  return caller
}

/** @returns  The statuses of the attacker's requests. */
async function attackBesideInnocentCaller(name: string, queries: readonly Record<string, string>[]): Promise<number[]> {
  const end = new AbortController()
  const watching = watchInnocentCaller(end.signal)
  const statuses: number[] = []
  const attack = async (signal: AbortSignal) => {
    const requests = queries.map(async (query) => {
      const response = await service.get(query, { headers: ATTACKER, signal })
      await response.arrayBuffer()
      statuses.push(response.status)
    })
    await Promise.all(requests)
  }
  const report = await service.attack(name, attack).finally(() => end.abort())
  const innocent = await watching
  report.slowestMetadataMs = Math.max(report.slowestMetadataMs, innocent.slowestMs)
  expect({ name, ...innocent }).toEqual({ name, slowestMs: expect.toSatisfy(isFast), failures: [] })
  expectContained(report)
  return statuses
}

const isFast = (ms: number) => ms < MAX_INNOCENT_MS

const deadPages = (count: number, more: Record<string, string> = {}) =>
  Array.from({ length: count }, (_, n) => ({ url: `http://p${n}.c${count}.dead.example/`, ...more }))

describe.runIf(isolated)('names whose server never answers', () => {
  it(`leave the metadata of others fast beside a capture with ${DEAD_IMAGES} such images`, async () => {
    const url = siteUrl('dead-images.example', '/dead-images')
    expect(await attackBesideInnocentCaller('a capture of dead names', [{ url, screenshot: 'true' }])).toEqual([200])
  }, 90_000)

  it.each([8, 100])(
    'leave the metadata of others fast beside %i requests for such pages',
    async (count) => {
      const statuses = await attackBesideInnocentCaller(`${count} pages at dead names`, deadPages(count))
      expect(statuses).toEqual(statuses.map(() => 504))
    },
    90_000,
  )

  it('leave the metadata of others fast beside a page that names them as its images', async () => {
    const queries = Array.from({ length: 20 }, (_, n) => ({
      url: siteUrl('pings.example', `/dead-images?${n}`),
      embed: 'image.url',
    }))
    await attackBesideInnocentCaller('20 pages with images at dead names', queries)
  }, 90_000)

  it('are not cached as failures: the page is served as soon as its name resolves', async () => {
    const url = siteUrl('recovering.example', '/')
    recovering = 'silence'
    const first = await service.get({ url })
    expect([first.status, await first.json()]).toMatchObject([504, { code: 'ETIMEOUT' }])
    recovering = 'SERVFAIL'
    const second = await service.get({ url })
    expect([second.status, await second.json()]).toMatchObject([400, { code: 'EINVALURL' }])
    recovering = [PUBLIC_ADDRESS]
    const third = await service.get({ url })
    expect([third.status, await third.json()]).toMatchObject([200, { data: { title: 'Found by its name' } }])
  }, 30_000)
})
