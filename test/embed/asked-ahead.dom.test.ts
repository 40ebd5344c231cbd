import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PrefetchedResponses } from '../../src/embed/asking/prefetched-responses.js'

const HOSTS = 'https://service.test'
const URL_ASKED = 'https://service.test/?url=https%3A%2F%2Fshoreline.example'
const words = { url: 'https://shoreline.example' }
const send = vi.fn<typeof fetch>()

beforeEach(() => {
  send.mockImplementation(() => Promise.resolve(new Response('no answer of ours')))
  vi.stubGlobal('fetch', send)
})
afterEach(() => {
  send.mockReset()
  vi.unstubAllGlobals()
})

it('asks once for the same, and gives the response once, whatever is in it', async () => {
  const ahead = new PrefetchedResponses()
  ahead.ask(words, HOSTS, 'card')
  ahead.ask(words, HOSTS, 'card')
  expect(send.mock.calls.map(([url]) => url)).toEqual([URL_ASKED])
  expect(await (await ahead.fetch(URL_ASKED)).text()).toBe('no answer of ours')
  await ahead.fetch(URL_ASKED)
  expect(send).toHaveBeenCalledTimes(2)
})

it('ends the request when who took it does not want it any more', async () => {
  const ahead = new PrefetchedResponses()
  ahead.ask(words, HOSTS, 'card')
  const end = new AbortController()
  void ahead.fetch(URL_ASKED, { signal: end.signal })
  end.abort()
  expect(send.mock.calls[0]![1]!.signal!.aborted).toBe(true)
})

it('leaves what has headers to the client, for a key may be among them', () => {
  const ahead = new PrefetchedResponses()
  ahead.ask({ ...words, headers: { apiKey: 'pp_secret' } }, { free: HOSTS, pro: 'https://pro.test' }, 'card')
  ahead.ask({ ...words, headers: { cookie: 'a=b' } }, HOSTS, 'card')
  expect(send).not.toHaveBeenCalled()
  expect(ahead.queries).toEqual([])
})
