import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResponseCache } from '../../../src/server/http/response-cache.js'
import { jsonBody } from '../../../src/server/http/response.js'
import type { ResolvedResult } from '../../../src/server/results/index.js'
import { goodResult } from '../extraction-result.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'

let site: LocalSite
let serving: StartedService

/** Requests the page with `node:http`, because `fetch` would decompress the body. */
async function requestPage(headers: Record<string, string>) {
  const url = `${serving.free}/?${new URLSearchParams({ url: `${site.url}/` })}`
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers }, resolve).on('error', reject),
  )
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

beforeAll(async () => {
  site = await localSite({ '/': `<title>A page</title><meta name="description" content="${'Long. '.repeat(100)}">` })
  serving = await startService(`--allow-target=${site.host}`)
})

afterAll(async () => {
  await serving.stop()
  await site.close()
})

it('a repeated response has the content coding that each client accepts', async () => {
  const plain = await requestPage({})
  for (const [acceptEncoding, encoding] of [
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
    ['identity', undefined],
    ['gzip', 'gzip'],
  ] as const) {
    const { headers, bytes } = await requestPage({ 'accept-encoding': acceptEncoding })
    expect([headers['x-cache-status'], headers['content-encoding'], headers.vary]).toEqual([
      'HIT',
      encoding,
      'x-page-preview-allow-hosts, accept-encoding',
    ])
    expect(headers['content-length']).toBe(String(bytes.byteLength))
    if (encoding === 'gzip') expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true)
  }
  const etag = (await requestPage({ 'accept-encoding': 'gzip' })).headers.etag!
  const notModified = await requestPage({ 'accept-encoding': 'gzip', 'if-none-match': etag })
  expect([notModified.status, notModified.headers.etag, notModified.bytes.byteLength]).toEqual([304, etag, 0])
  expect(notModified.headers.vary).toBe('x-page-preview-allow-hosts, accept-encoding')
})

describe('a response in memory', () => {
  const START = 1_800_000_000_000
  const TTL_MS = 60_000
  const result: ResolvedResult = {
    key: 'a page',
    entry: {
      createdAt: START,
      expiresAt: START + TTL_MS,
      images: [],
      body: goodResult,
    },
    cacheStatus: 'HIT',
    ttlMs: TTL_MS,
    staleTtlMs: false,
    warnings: [],
  }
  const URL_IN_CACHE = 'http://localhost/?url=example.com'

  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  function setUp() {
    let elapsedMs = 0
    const cache = createResponseCache(() => START + elapsedMs)
    const read = () => cache.set(URL_IN_CACHE, undefined, result, { body: jsonBody('a page'), headers: {} })
    const wait = (ms: number) => {
      elapsedMs += ms
      vi.advanceTimersByTime(ms)
    }
    const isServed = () => cache.get(URL_IN_CACHE, undefined) !== undefined
    read()
    return { cache, read, wait, isServed }
  }

  it('lets one request per second read the store, and serves the others', () => {
    const { wait, isServed } = setUp()
    expect([isServed(), isServed()]).toEqual([true, true])
    wait(1_000)
    expect([isServed(), isServed(), isServed()]).toEqual([false, true, true])
    wait(999)
    expect(isServed()).toBe(true)
    wait(1)
    expect([isServed(), isServed()]).toEqual([false, true])
  })

  it('is served as long as its result is fresh', () => {
    const { wait, read, isServed } = setUp()
    wait(TTL_MS - 1)
    read()
    expect(isServed()).toBe(true)
    wait(1)
    expect([isServed(), isServed()]).toEqual([false, false])
  })

  it('is dropped when its result is replaced, and never restored from the old one', () => {
    const { cache, read, isServed } = setUp()
    cache.replace(result.key, START + 1)
    expect(isServed()).toBe(false)
    read()
    expect(isServed()).toBe(false)
  })
})
