// Covers the judgement of captures by the real browser: made pages of every kind, each with what is right to say about it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../local-site.js'
import { formatTable } from '../../shared/format-table.js'
import { startTestBrowser, type TestBrowser } from '../browser/test-browser.js'
import { blankPages, latePages } from './blank-pages.js'
import { botCheckPages, passingPages } from './bot-check-pages.js'
import { errorPages, wallPages } from './error-pages.js'
import type { MadePage } from './made-page.js'
import { plainPages } from './plain-pages.js'

const PAGES = [
  ...botCheckPages,
  ...passingPages,
  ...blankPages,
  ...latePages,
  ...errorPages,
  ...wallPages,
  ...plainPages,
]
/** Where pictures are written to look at. Default: nowhere. */
const FOLDER = process.env.MADE_PAGES_FOLDER
const CONCURRENCY = 4
const VIEWPORT = { width: 1280, height: 800, deviceScaleFactor: 1 }
/** Pages that never change take all of it. */
const TIMEOUT_MS = 15_000
const CHANGING_PAGES = new Set([...passingPages, ...latePages])
const CHANGING_TIMEOUT_MS = 20_000

interface Row {
  page: MadePage
  state: string
  ms: number
}

let test: TestBrowser
const rows: Row[] = []

beforeAll(async () => {
  const routes = Object.assign({}, ...PAGES.map(({ name, route, routes }) => ({ [`/${name}`]: route, ...routes })))
  test = await startTestBrowser(routes as Record<string, Route>, { concurrency: CONCURRENCY * 2 })
  await test.capture('/empty')
  const waiting = [...PAGES]
  const captureNext = async (): Promise<void> => {
    const page = waiting.shift()
    if (!page) return
    rows.push(await capture(page))
    await captureNext()
  }
  // The time in the queue of the browser would count as time of the page; one host has half of its slots while others wait.
  await Promise.all(Array.from({ length: CONCURRENCY }, captureNext))
}, 300_000)
afterAll(async () => {
  const table = rows.map(({ page, state, ms }) => [page.name, page.state ?? 'content', state, String(ms)])
  console.log(formatTable([['page', 'right', 'judged', 'ms'], ...table]).join('\n'))
  await test.close()
})

async function capture(page: MadePage): Promise<Row> {
  const startedAt = performance.now()
  const timeout = CHANGING_PAGES.has(page) ? CHANGING_TIMEOUT_MS : TIMEOUT_MS
  const query = { viewport: VIEWPORT, timeout, screenshot: { type: 'png' } }
  const result = await test.capture(page.path ?? `/${page.name}`, query).catch((error: unknown) => String(error))
  const ms = Math.round(performance.now() - startedAt)
  if (typeof result === 'string') return { page, state: result, ms }
  if (FOLDER) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(join(FOLDER, `${page.name}.png`), result.bytes)
  }
  return { page, state: result.state ?? 'content', ms }
}

describe('a capture', () => {
  it.each(PAGES)('of $name is judged as $state', (page) => {
    expect(rows.find((row) => row.page === page)?.state).toBe(page.state ?? 'content')
  })
})
