import { expect, it, vi } from 'vitest'
import { readQueryList, resultLines } from '../../../src/query/help/index.js'

const requests = (count: number) =>
  Array.from({ length: count }, (_, page) => new Request(`http://previews.test/?url=https://site.test/${page}`))

it('sends ten queries at once, and the next one when a line has been read', async () => {
  const sent: ((response: Response) => void)[] = []
  const send = () => new Promise<Response>((resolve) => sent.push(resolve))
  const lines = resultLines(requests(12), send, 'http://previews.test')
  const first = lines.next()
  await vi.waitFor(() => expect(sent).toHaveLength(10))
  sent[3]!(Response.json({ status: 'success' }, { headers: { 'x-cache-status': 'HIT', 'set-cookie': 'a=1' } }))
  sent[4]!(Response.json({}))
  expect((await first).value).toBe(
    '{"index":3,"status":200,"headers":{"x-cache-status":"HIT"},"body":{"status":"success"}}\n',
  )
  expect(sent).toHaveLength(10)
  const second = lines.next()
  await vi.waitFor(() => expect(sent).toHaveLength(11))
  expect((await second).value).toMatch(/^{"index":4,/)
})

it('gives each query the headers of the list that are for it, and the signal', async () => {
  const abort = new AbortController()
  const headers = { 'x-api-key': 'key', accept: 'application/x-ndjson', 'content-type': 'text/plain' }
  const body = JSON.stringify({ queries: ['url=a&screenshot=true', '?url=b', '#', 'url=ä b'] })
  const list = new Request('http://previews.test/previews', { method: 'POST', headers, body, signal: abort.signal })
  const queries = await readQueryList(list, 'http://previews.test/base/')
  expect(queries.map(({ url }) => url)).toEqual([
    'http://previews.test/base/?url=a&screenshot=true',
    'http://previews.test/base/?url=b',
    'http://previews.test/base/?%23',
    'http://previews.test/base/?url=%C3%A4%20b',
  ])
  expect(Object.fromEntries(queries[0]!.headers)).toEqual({ accept: 'application/json', 'x-api-key': 'key' })
  abort.abort()
  expect(queries[0]!.signal.aborted).toBe(true)
})
