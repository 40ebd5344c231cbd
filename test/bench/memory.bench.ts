import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { collectGarbage } from './collect-garbage.js'
import { startBuiltService, type Child } from './children.js'

const EARLY = 500
const LATE = 2_000
const CONCURRENCY = 2
const MAX_GROWTH = 1.1

let site: LocalSite
let service: Child
beforeAll(async () => {
  site = await localSite({ '/': '<title>Page</title><body>A page' })
  service = await startBuiltService(
    [`--allow-target=${site.host}`, `--concurrency=${2 * CONCURRENCY}`],
    ['--inspect=127.0.0.1:0'],
  )
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

/** Without the mapped database, whose pages the kernel keeps as long as it likes. */
const residentMegabytes = () =>
  Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1_000

async function capture(number: number): Promise<void> {
  const query = new URLSearchParams({
    url: `${site.url}/?${number}`,
    screenshot: 'true',
    'viewport.width': '320',
    'viewport.height': '200',
  })
  const response = await fetch(`${service.url}/?${query}`)
  await response.arrayBuffer()
  expect(response.status).toBe(200)
}

it('the memory of the service after many captures', { timeout: 1_800_000 }, async () => {
  const early = await memoryAfter(EARLY)
  const late = await memoryAfter(LATE)
  console.log(
    `memory of the service: after ${EARLY} captures ${early.toFixed(0)} MB, after ${LATE} ${late.toFixed(0)} MB, ratio ${(late / early).toFixed(2)}`,
  )
  expect(late / early).toBeLessThanOrEqual(MAX_GROWTH)
})

let captures = 0

/** @returns Megabytes, after that many captures in all. */
async function memoryAfter(count: number): Promise<number> {
  const captureNext = async () => {
    while (captures < count) await capture(captures++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, captureNext))
  await collectGarbage(service.inspectorUrl!)
  return residentMegabytes()
}
