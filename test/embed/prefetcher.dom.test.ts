// Covers `Prefetcher` of src/embed/first-requests.ts.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { previewRequest } from '../../src/card/index.js'
import { Prefetcher } from '../../src/embed/first-requests.js'

const HOSTS = 'https://service.test'
const REQUEST_URL = 'https://service.test/?url=https%3A%2F%2Fshoreline.example'
const query = { url: 'https://shoreline.example' }
const request = previewRequest(query, { endpoint: HOSTS })
const send = vi.fn<typeof fetch>()

beforeEach(() => {
  send.mockImplementation(() => Promise.resolve(new Response('{"status":"success","data":{}}')))
  vi.stubGlobal('fetch', send)
})
afterEach(() => {
  send.mockReset()
  vi.unstubAllGlobals()
})

it('requests each URL once, and hands each response over once', async () => {
  const prefetcher = new Prefetcher()
  prefetcher.prefetch(request, 'card')
  prefetcher.prefetch(request, 'card')
  expect(send.mock.calls.map(([url]) => url)).toEqual([REQUEST_URL])
  const response = await prefetcher.fetch(REQUEST_URL)
  expect(await response.json()).toEqual({ status: 'success', data: {} })
  await prefetcher.fetch(REQUEST_URL)
  expect(send).toHaveBeenCalledTimes(2)
})

it('parses a response once for all who read it', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const prefetcher = new Prefetcher()
  prefetcher.prefetch(request, 'card')
  const response = await prefetcher.fetch(REQUEST_URL)
  expect(await response.json()).toBe(await response.json())
  expect(parse).toHaveBeenCalledTimes(1)
  parse.mockRestore()
})

it('hands over a response that is not JSON, which the client reports', async () => {
  send.mockImplementation(() => Promise.resolve(new Response('Welcome to nginx!')))
  const prefetcher = new Prefetcher()
  prefetcher.prefetch(request, 'card')
  const response = await prefetcher.fetch(REQUEST_URL)
  expect(response.ok).toBe(true)
  expect(await response.json()).toBeUndefined()
})

it('aborts the request when its consumer aborts', async () => {
  const prefetcher = new Prefetcher()
  prefetcher.prefetch(request, 'card')
  const controller = new AbortController()
  void prefetcher.fetch(REQUEST_URL, { signal: controller.signal })
  controller.abort()
  expect(send.mock.calls[0]![1]!.signal!.aborted).toBe(true)
})

it('leaves queries with headers to the client, because an API key may be among them', () => {
  const prefetcher = new Prefetcher()
  const endpoint = { free: HOSTS, pro: 'https://pro.test' }
  prefetcher.prefetch(previewRequest({ ...query, headers: { apiKey: 'pp_secret' } }, { endpoint }), 'card')
  prefetcher.prefetch(previewRequest({ ...query, headers: { cookie: 'a=b' } }, { endpoint }), 'card')
  expect(send).not.toHaveBeenCalled()
  expect(prefetcher.requests).toEqual([])
})
