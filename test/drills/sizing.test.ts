// Covers what the built service needs by `--concurrency`: memory, and captures per second.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readCpuTime, subtractCpuTime, totalMs } from '../bench/cpu-time.js'
import { startInstance } from '../faults/start-instance.js'
import { localSite, type LocalSite } from '../local-site.js'
import { formatTable } from '../shared/format-table.js'
import { residentBytes } from './process-tree.js'

const CONCURRENCIES = [1, 2, 4]
const WARM_CAPTURES = 4
const CAPTURES = 40
const SAMPLE_INTERVAL_MS = 250
const IMAGES = 3
const MEGABYTE = 1_000_000

let sites: LocalSite[]
const rows: string[][] = []
beforeAll(async () => {
  const image = readFileSync(new URL('../../stories/fixtures/ferries-sail.jpg', import.meta.url))
  const images = Array.from({ length: IMAGES }, (_, index) => `<img src="/image.jpg?${index}" width=300>`).join('')
  // A host has half of the slots while others wait.
  sites = await Promise.all(
    Array.from({ length: 4 }, () =>
      localSite({
        '/': `<!doctype html><title>Page</title><h1>A short page</h1>${images}<p>Text.</p>`,
        '/image.jpg': (_, response) => void response.setHeader('content-type', 'image/jpeg').end(image),
      }),
    ),
  )
})
afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()))
  const head = ['--concurrency', 'memory, idle', 'memory, capturing', 'captures per second', 'CPU per capture']
  console.log(formatTable([head, ...rows]).join('\n'))
})

it.each(CONCURRENCIES)('with %i at once', async (concurrency) => {
  const targets = sites.map(({ host }) => `--allow-target=${host}`)
  const service = await startInstance({ flags: [...targets, `--concurrency=${concurrency}`, '--log-level=warn'] })
  let page = 0
  const captureNext = async () => {
    const url = `${sites[page % sites.length]!.url}/?${page++}`
    const response = await service.get({ url, screenshot: 'true' })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
  }
  const captureAll = async (count: number) => {
    let left = count
    const worker = async () => {
      while (left-- > 0) await captureNext()
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }
  const idle = residentBytes(service.pid)
  await captureAll(WARM_CAPTURES)
  const memory: number[] = []
  const timer = setInterval(() => memory.push(residentBytes(service.pid)), SAMPLE_INTERVAL_MS)
  const [startedAt, cpuBefore] = [performance.now(), readCpuTime(service.pid)]
  await captureAll(CAPTURES)
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpuSeconds = totalMs(subtractCpuTime(readCpuTime(service.pid), cpuBefore)) / 1_000
  await service.stop()
  rows.push([
    String(concurrency),
    `${Math.round(idle / MEGABYTE)} MB`,
    `${Math.round(Math.max(...memory) / MEGABYTE)} MB`,
    (CAPTURES / seconds).toFixed(1),
    `${(cpuSeconds / CAPTURES).toFixed(1)} s`,
  ])
})
