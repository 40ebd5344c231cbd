import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Parser } from 'htmlparser2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startBuiltService, type Child } from './children.js'

/** A folder of `<name>/page.html`, `<name>/expected.json` and a `score.mjs` that compares; without it only a generated page is read. */
const pagesDir = process.env.PAGES && resolve(process.env.PAGES)

interface Score {
  agreement: number
  perField: Record<string, { expected: number; agree: number; wrong: number }>
}

const generatedPage = `<!doctype html><html lang="en"><head><title>A long page</title>
  <meta property="og:description" content="With much to read">
  <script type="application/ld+json">{"@type":"Article","headline":"A long page","author":{"name":"Ada"}}</script></head>
  <body>${'<section class="part"><h2>Part</h2><p>Some <b>words</b> &amp; more of them.</p></section>'.repeat(3_000)}</body></html>`

const SCORED_PORT = 8719
const ROUNDS = 15
const MEASURED_ROUNDS = 5
/** The rules are applied, and the page goes to a worker and its metadata back. */
const MAX_RATIO = 5
let site: LocalSite
let service: Child

beforeAll(async () => {
  const names = pagesDir ? readdirSync(pagesDir, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : []
  const pages = names.map(({ name }) => [`/${name}`, readFileSync(join(pagesDir!, name, 'page.html'), 'latin1')])
  site = await localSite(Object.fromEntries(pages.length ? pages : [['/generated', generatedPage]]))
  service = await startBuiltService([`--allow-target=${site.host}`, `--allow-target=127.0.0.1:${SCORED_PORT}`])
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

/** Milliseconds of the extraction alone, from the `server-timing` of the service. */
async function readingTime(path: string): Promise<number> {
  const parameters = new URLSearchParams({ url: `${site.url}${path}`, ping: 'false', force: 'true' })
  const { headers } = await fetch(`${service.url}/?${parameters}`)
  return Number(/\bread;dur=([\d.]+)/.exec(headers.get('server-timing') ?? '')?.[1])
}

/** Milliseconds in which htmlparser2, which the service reads pages with, parses the same page and keeps nothing of it. */
async function parsingTime(path: string): Promise<number> {
  const html = await (await fetch(`${site.url}${path}`)).text()
  const startedAt = performance.now()
  new Parser({ onopentag() {}, ontext() {} }).end(html)
  return performance.now() - startedAt
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

it('the metadata of a page, compared with htmlparser2 alone', async () => {
  const readMs: number[] = []
  const parseMs: number[] = []
  for (const path of Object.keys(site.routes)) {
    const rounds = { read: [] as number[], parse: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rounds.read.push(await readingTime(path))
      rounds.parse.push(await parsingTime(path))
    }
    // V8 has compiled the hot code only after many pages.
    readMs.push(median(rounds.read.slice(-MEASURED_ROUNDS)))
    parseMs.push(median(rounds.parse.slice(-MEASURED_ROUNDS)))
  }
  const ratio = median(readMs) / median(parseMs)
  console.log(
    `metadata of ${readMs.length} pages: median ${median(readMs).toFixed(1)} ms, most ${Math.max(...readMs).toFixed(1)} ms, ` +
      `parser alone ${median(parseMs).toFixed(1)} ms, ratio ${ratio.toFixed(2)}`,
  )
  expect(ratio).toBeLessThanOrEqual(MAX_RATIO)
})

it.runIf(pagesDir)('the metadata agrees with what a reader would say', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'page-preview-bench-')), 'score.json')
  const scorer = join(pagesDir!, 'score.mjs')
  await promisify(execFile)(process.execPath, [scorer, '--service', service.url, '--json', file, '--min', '0'])
  const { agreement, perField } = JSON.parse(await readFile(file, 'utf8')) as Score
  await rm(dirname(file), { recursive: true })
  for (const [field, { expected, agree, wrong }] of Object.entries(perField))
    console.log(`${field.padEnd(12)} ${agree}/${expected}${wrong ? `, ${wrong} known to be wrong` : ''}`)
  console.log(`agreement ${agreement} %`)
  expect(agreement).toBeGreaterThanOrEqual(98)
})
