// Covers what one caller waits beside others: the same load with a first-come queue, and with the queue of the service.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Service } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { formatTable } from '../shared/format-table.js'
import { createFirstComeQueue } from './first-come-queue.js'

const FLOOD = 48
const HANGING = 12
const HANGING_TIMEOUT_MS = 3_000
const SITES = 4
const TEST_TIMEOUT_MS = 120_000

const loads = ['alone', `${FLOOD} new pages of one client`, `${HANGING} pages of one host that never end`] as const
const proLoad = `pro, behind ${FLOOD} new pages of free clients`
type Figures = Partial<Record<string, number>>
const figures: Record<'first come' | 'fair', Figures> = { 'first come': {}, fair: {} }

let sites: LocalSite[]
let folder: string
beforeAll(async () => {
  const never = () => undefined
  sites = await Promise.all(
    Array.from({ length: SITES }, () => localSite({ '/': '<title>Page</title><body>Page', '/never': never })),
  )
  folder = await mkdtemp(join(tmpdir(), 'page-preview-fairness-'))
})
afterAll(async () => {
  await Promise.all([...sites.map((site) => site.close()), rm(folder, { recursive: true, force: true })])
  const names = [...loads, proLoad]
  const cells = (queue: keyof typeof figures) => (name: string) => `${Math.round(figures[queue][name] ?? NaN)} ms`
  const rows = names.map((name) => [name, cells('first come')(name), cells('fair')(name)])
  console.log(formatTable([['one page beside', 'first come', 'fair'], ...rows]).join('\n'))
})

describe.each(['first come', 'fair'] as const)('with a queue that is %s', (queue) => {
  let service: Service
  let key: string
  let page = 0
  beforeAll(async () => {
    vi.resetModules()
    const path = '../../src/server/browser/create-page-queue.js'
    if (queue === 'fair') vi.doUnmock(path)
    else vi.doMock(path, () => ({ createPageQueue: createFirstComeQueue }))
    const { createService, openKeys } = await import('../../src/server/index.js')
    const dataDir = join(folder, queue)
    const allowTargets = sites.map(({ host }) => host)
    service = createService({ dataDir, allowTargets, freeDailyLimit: 10_000, maxQueue: 1_000, warm: true })
    await service.ready()
    const keys = await openKeys({ dataDir })
    ;({ key } = await keys.create('Shop'))
    await keys.close()
    await capture('192.0.2.1')
  }, TEST_TIMEOUT_MS)
  afterAll(() => service.close())

  /** Of a page that nobody has requested before. @returns Milliseconds. */
  async function capture(peerAddress: string, site = 0, isPro = false): Promise<number> {
    const url = `${sites[site]!.url}/?${page++}`
    const query = new URLSearchParams({ url, screenshot: 'true', meta: 'false' })
    const startedAt = performance.now()
    const response = await service.fetch(
      new Request(`http://previews.test/?${query}`, { headers: isPro ? { 'x-api-key': key } : {} }),
      { peerAddress, plan: isPro ? 'pro' : 'free' },
    )
    expect([200, 503, 504]).toContain(response.status)
    await response.arrayBuffer()
    return performance.now() - startedAt
  }
  /** Resolves to the running captures as soon as many of them wait; a slow machine refuses those that would wait too long. */
  async function flood(clients: number): Promise<{ ended: Promise<unknown> }> {
    const captures = Array.from({ length: FLOOD }, (_, index) => capture(`198.51.100.${index % clients}`, index % 2))
    await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(FLOOD / 4)
    return { ended: Promise.all(captures) }
  }
  async function waiting(): Promise<number> {
    const text = await (await service.fetch(new Request('http://previews.test/metrics'))).text()
    return Number(/^page_preview_queue (\d+)$/m.exec(text)?.[1])
  }

  it(loads[0], async () => {
    const times = []
    for (let index = 0; index < 5; index++) times.push(await capture('192.0.2.1', index % SITES))
    figures[queue][loads[0]] = times.toSorted((one, other) => one - other)[2]!
  })

  it(loads[1], { timeout: TEST_TIMEOUT_MS }, async () => {
    const { ended } = await flood(1)
    figures[queue][loads[1]] = await capture('192.0.2.2', 2)
    await ended
  })

  it(loads[2], { timeout: TEST_TIMEOUT_MS }, async () => {
    const hanging = Array.from({ length: HANGING }, (_, index) => {
      const url = `${sites[3]!.url}/never?${index}`
      const query = new URLSearchParams({ url, screenshot: 'true', meta: 'false', timeout: `${HANGING_TIMEOUT_MS}` })
      return service.fetch(new Request(`http://previews.test/?${query}`), { peerAddress: `203.0.113.${index}` })
    })
    figures[queue][loads[2]] = await capture('192.0.2.3', 2)
    await Promise.all(hanging)
  })

  it(proLoad, { timeout: TEST_TIMEOUT_MS }, async () => {
    const { ended } = await flood(FLOOD)
    figures[queue][proLoad] = await capture('192.0.2.4', 2, true)
    await ended
  })
})

it('nobody waits for the flood of another one', () => {
  const { fair, 'first come': plain } = figures
  for (const name of [loads[1], proLoad]) expect(fair[name], name).toBeLessThan(plain[name]! / 2)
  // One host may have all slots until a page of another host waits, which is next when a capture ends.
  expect(fair[loads[2]]).toBeLessThan(HANGING_TIMEOUT_MS + 10 * fair.alone!)
})
