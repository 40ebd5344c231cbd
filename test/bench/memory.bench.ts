import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startBuiltService, type Child } from './children.js'

const EARLY = 500
const LATE = 2_000
const CONCURRENCY = 2
/** The least of these captures: memory that waits to be collected differs from one to the next. */
const SAMPLES = 100
const MAX_GROWTH = 1.1

let site: LocalSite
let service: Child
beforeAll(async () => {
  site = await localSite({ '/': '<title>Page</title><body>A page' })
  service = await startBuiltService([`--allow-target=${site.host}`, `--concurrency=${2 * CONCURRENCY}`])
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

/** Without the mapped database, whose pages the kernel keeps as long as it likes. */
const residentMegabytes = () =>
  Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1_000

async function capture(number: number): Promise<number> {
  const query = new URLSearchParams({
    url: `${site.url}/?${number}`,
    screenshot: 'true',
    'viewport.width': '320',
    'viewport.height': '200',
  })
  const response = await fetch(`${service.url}/?${query}`)
  await response.arrayBuffer()
  expect(response.status).toBe(200)
  return residentMegabytes()
}

it('the memory of the service after many captures', { timeout: 1_800_000 }, async () => {
  const resident: number[] = []
  const captureNext = async () => {
    while (resident.length < LATE) resident.push(await capture(resident.length + Math.random()))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, captureNext))
  const least = (count: number) => Math.min(...resident.slice(count - SAMPLES, count))
  const [early, late] = [least(EARLY), least(LATE)]
  console.log(
    `memory of the service: after ${EARLY} captures ${early.toFixed(0)} MB, after ${LATE} ${late.toFixed(0)} MB, ratio ${(late / early).toFixed(2)}`,
  )
  expect(late / early).toBeLessThanOrEqual(MAX_GROWTH)
})
