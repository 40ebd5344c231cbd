// Covers the revalidation of a stale result in src/server/results/resolve-result.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../../src/query/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startApp } from './start-app.js'

const MINUTE_MS = 60_000
const page = (colour: string) => `<!doctype html><title>${colour}</title><body style="background:${colour}">`

let dataDir: string
let site: LocalSite
let port: number
let service: Service
let now = Date.parse('2026-01-31T12:00:00Z')

const start = () => createService({ dataDir, allowTargets: [`127.0.0.1:${port}`], clock: () => now })
/** Quickly captured. */
const SMALL = { 'viewport.width': '300', 'viewport.height': '200', 'viewport.deviceScaleFactor': '1' }
const requestPage = (parameters: Record<string, string>) =>
  service.fetch(
    new Request(
      `http://previews.test/?${new URLSearchParams({ url: `http://127.0.0.1:${port}/`, ...SMALL, ...parameters })}`,
    ),
  )
const screenshot = async () => {
  const response = await requestPage({ embed: 'screenshot.url', screenshot: 'true', staleTtl: '1m' })
  return {
    httpStatus: response.status,
    cache: response.headers.get('x-cache-status'),
    etag: response.headers.get('etag'),
  }
}
const json = async () =>
  (await (await requestPage({ screenshot: 'true', staleTtl: '1m', ttl: '31d' })).json()) as PageResponse

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-outage-'))
  site = await localSite({ '/': page('red') })
  port = Number(new URL(site.url).port)
  service = start()
})
afterAll(async () => {
  await service.close()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('keeps the screenshot of a page that goes down, over a restart too, and updates it when the page is back', async () => {
  const first = await screenshot()
  expect(first).toMatchObject({ httpStatus: 200, cache: 'MISS' })

  await site.close()
  now += 2 * MINUTE_MS
  expect(await screenshot()).toEqual({ ...first, cache: 'STALE' })
  await expect.poll(async () => (await json()).warnings?.join()).toMatch(/revalidation failed.*retried/)
  expect(await screenshot()).toEqual({ ...first, cache: 'STALE' })

  await service.close()
  service = start()
  expect(await screenshot()).toEqual({ ...first, cache: 'STALE' })
  await expect.poll(async () => (await json()).warnings?.join()).toContain('revalidation failed')

  site = await localSite({ '/': page('green') }, port)
  now += 2 * 60 * MINUTE_MS
  expect(await screenshot()).toEqual({ ...first, cache: 'STALE' })
  await expect.poll(async () => (await screenshot()).cache, { timeout: 10_000 }).toBe('HIT')
  expect((await screenshot()).etag).not.toBe(first.etag)
  expect((await json()).data.title).toBe('green')
})

it('no longer says that a revalidation failed once another request has produced a newer result', async () => {
  let isDown = false
  const app = await startApp({
    routes: {
      '/': (_, response) =>
        void response
          .writeHead(isDown ? 503 : 200, { 'content-type': 'text/html' })
          .end('<title>Story</title><h1>Story'),
    },
  })
  const parameters = { staleTtl: '1m', ping: 'false' }
  await app.readPage(parameters)
  isDown = true
  app.time.now += 2 * MINUTE_MS
  await app.readPage(parameters)
  await expect.poll(async () => (await app.readPage(parameters)).warnings?.join()).toContain('revalidation failed')

  isDown = false
  app.time.now += 1_000
  expect(await app.readPage({ ...parameters, force: 'true' })).not.toHaveProperty('warnings')
  app.time.now += 2 * MINUTE_MS
  const later = await app.readPage(parameters)
  expect(later.cache).toBe('STALE')
  expect(later).not.toHaveProperty('warnings')
  await expect.poll(async () => (await app.readPage(parameters)).cache).toBe('HIT')
})

describe('a revalidation that finds an error page', () => {
  /** A page that responded two minutes ago and is down now. A held response waits until it is released. */
  async function startOutage() {
    const page = { statusCode: 200, release: undefined as (() => void) | undefined, isHeld: false }
    const app = await startApp({
      routes: {
        '/': (_, response) => {
          const { statusCode } = page
          response.writeHead(statusCode, { 'content-type': 'text/html' })
          const respond = () => void response.end(`<title>Harbour ${statusCode === 200 ? 'open' : 'down'}</title>`)
          if (page.isHeld) page.release = respond
          else respond()
        },
      },
    })
    expect(await app.readPage()).toMatchObject({ statusCode: 200, cache: 'MISS' })
    app.time.now += 2 * MINUTE_MS
    page.statusCode = 500
    return { ...app, page }
  }

  it('fails no request whose ttl has passed', async () => {
    const { readPage } = await startOutage()
    expect(await readPage({ staleTtl: '0' })).toMatchObject({ statusCode: 200, cache: 'STALE' })
    const warnings = async () => (await readPage({ staleTtl: '0' })).warnings?.join()
    await expect.poll(warnings).toContain('The revalidation failed (The page now responds with status 500.)')
    expect(await readPage({ ttl: '1m' })).toMatchObject({ status: 'success', statusCode: 500 })
    expect(await readPage()).toMatchObject({ statusCode: 200, cache: 'HIT' })
  })

  it('fails no request that joins it', async () => {
    const { readPage, page } = await startOutage()
    page.isHeld = true
    await readPage({ staleTtl: '0' })
    await expect.poll(() => page.release).toBeDefined()
    const joined = [readPage({ ttl: '1m' }), readPage({ force: 'true' })]
    // Until both have joined.
    await new Promise((resolve) => setTimeout(resolve, 100))
    page.release!()
    const error = { status: 'success', statusCode: 500 }
    expect(await Promise.all(joined)).toMatchObject([error, { ...error, cache: 'BYPASS' }])
    expect(await readPage()).toMatchObject({ statusCode: 200, cache: 'HIT' })
  })
})
