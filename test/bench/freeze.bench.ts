// Covers how much `freeze` adds to the captures themselves, and what a run from the cache takes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freeze } from '../../src/static/freeze/index.js'
import { openPreviewSource, type PreviewSource } from '../../src/static/preview-source.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { pageWith, temporarySite } from '../static/freeze/temporary-site.js'
import { formatTable } from '../shared/format-table.js'
import { addCpuTime, cpuParts, readCpuTime, subtractCpuTime, totalMs } from './cpu-time.js'

/** All take turns in rounds, because the machine may become slower or faster. */
const ROUNDS = 4
const LINKS_PER_ROUND = 50
const CONCURRENCY = 2
/** Of the service's own captures per second; the rest is for converting the images of each. */
const MIN_RATIO = 0.65
const MAX_CACHED_MS = 1_500
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']

const STYLES = 'body{margin:0;font:18px/1.6 sans-serif}header{color:#fff;padding:80px}p{padding:0 80px}'
const TEXT = '<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt.</p>'.repeat(
  14,
)
/** Pages that look different, because equal screenshots share their variants. */
const page: Route = (request, response) => {
  const color = `hsl(${(Number(request.url!.split('=')[1]) * 47) % 360} 60% 40%)`
  const head = `<!doctype html><html lang="en"><title>Article</title><style>${STYLES}</style>`
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`${head}<header style="background:${color}"><h1>Article at ${request.url!}</h1></header>${TEXT}`)
}

let sites: LocalSite[]
let source: PreviewSource
let pages = 0

beforeAll(async () => {
  sites = await Promise.all(ADDRESSES.map((address) => localSite({ '/': page }, 0, address)))
  source = openPreviewSource({
    allowTargets: sites.map(({ host }) => host),
    concurrency: CONCURRENCY,
    allowUnsandboxed: true,
  })
})
afterAll(async () => {
  await source.close()
  await Promise.all(sites.map((site) => site.close()))
})

const nextUrls = (count: number) =>
  Array.from({ length: count }, () => `${sites[pages % sites.length]!.url}/?page=${pages++}`)

const capture = (url: string) => source.page({ url, screenshot: true }, new AbortController().signal)

/** Captures as many pages at the same time as `freeze` requests. */
async function captureAll(urls: readonly string[]): Promise<void> {
  const left = [...urls]
  const captureNext = async () => {
    for (let url = left.shift(); url; url = left.shift()) await capture(url)
  }
  await Promise.all(Array.from({ length: CONCURRENCY * 2 }, captureNext))
}

async function freezeAll(urls: readonly string[]): Promise<void> {
  const { paths } = await temporarySite({ 'index.html': pageWith(...urls) })
  const result = await freeze({ ...paths, source, concurrency: CONCURRENCY })
  expect(result.previews.new).toBe(urls.length)
}

it('freezes links in the time of their captures and of converting their images', async () => {
  const works = { service: captureAll, freeze: freezeAll }
  for (const work of Object.values(works)) await work(nextUrls(4))
  const elapsedMs = { service: 0, freeze: 0 }
  const cpuTime = { service: subtractCpuTime(), freeze: subtractCpuTime() }
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, work] of Object.entries(works) as [keyof typeof works, typeof captureAll][]) {
      const urls = nextUrls(LINKS_PER_ROUND)
      const [startedAt, cpu] = [performance.now(), readCpuTime(process.pid)]
      await work(urls)
      elapsedMs[name] += performance.now() - startedAt
      cpuTime[name] = addCpuTime(cpuTime[name], subtractCpuTime(readCpuTime(process.pid), cpu))
    }
  const links = ROUNDS * LINKS_PER_ROUND
  const perLink = (ms: number) => String(Math.round(ms / links))
  const rows = (Object.keys(works) as (keyof typeof works)[]).map((name) => [
    name,
    ((links * 1_000) / elapsedMs[name]).toFixed(2),
    (elapsedMs.service / elapsedMs[name]).toFixed(2),
    perLink(totalMs(cpuTime[name])),
    ...cpuParts.map((part) => perLink(cpuTime[name][part])),
  ])
  console.log(formatTable([['work', 'links/s', 'of the service', 'CPU ms each', ...cpuParts], ...rows]).join('\n'))
  expect(elapsedMs.service / elapsedMs.freeze).toBeGreaterThanOrEqual(MIN_RATIO)
})

it('freezes 100 links from the cache in an instant', async () => {
  const { paths, snapshot } = await temporarySite(
    Object.fromEntries(Array.from({ length: 20 }, (_, page) => [`${page}.html`, pageWith(...nextUrls(5))])),
  )
  await freeze({ ...paths, source, concurrency: CONCURRENCY })
  const first = await snapshot()
  const startedAt = performance.now()
  expect(await freeze({ ...paths, offline: true })).toMatchObject({ changedPages: 0, previews: { cached: 100 } })
  const elapsedMs = performance.now() - startedAt
  console.log(`100 links from the cache: ${Math.round(elapsedMs)} ms`)
  expect(await snapshot()).toEqual(first)
  expect(elapsedMs).toBeLessThan(MAX_CACHED_MS)
})
