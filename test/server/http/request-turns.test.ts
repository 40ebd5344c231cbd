// Covers the order in which requests are started that are handled by the main thread: in turn by client.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

const REQUESTS = 200

let site: LocalSite
let service: Service
beforeAll(async () => {
  site = await localSite({ '/': '<title>A page</title>' })
  service = createService({ allowTargets: [site.host], trustProxy: 1 })
  await service.ready()
  await request('192.0.2.1', '').then((response) => response.text())
})
afterAll(async () => {
  await service.close()
  await site.close()
})

/** Requests a cached result, each time at another URL, so that the response itself is not in memory. */
const request = (client: string, more: string, init: RequestInit = {}) =>
  service.fetch(
    new Request(`http://previews.test/?url=${encodeURIComponent(`${site.url}/`)}${more}`, {
      ...init,
      headers: { 'x-forwarded-for': client },
    }),
  )

/** How many of the requests were done before a request that came after them. */
async function countBefore(client: string, requests: (() => Promise<Response>)[]) {
  let done = 0
  const all = requests.map(async (send) => {
    const { status } = await send()
    done++
    return status
  })
  const { status } = await request(client, '&innocent')
  const before = done
  return { before, statuses: new Set([status, ...(await Promise.all(all))]) }
}

it.each([
  ['a client that has none', '192.0.2.2', ['192.0.2.66'], 20],
  ['a client beside ten others', '192.0.2.3', Array.from({ length: 10 }, (_, n) => `198.51.100.${n}`), 40],
  ['a client of another /64', '2001:db8:1::1', ['2001:db8:2::1', '2001:db8:2::2'], 20],
])(`starts the request of %s before most of ${REQUESTS} that came earlier`, async (name, client, others, most) => {
  const requests = Array.from(
    { length: REQUESTS },
    (_, n) => () => request(others[n % others.length]!, `&${name.length}x${n}`),
  )
  const { before, statuses } = await countBefore(client, requests)
  expect(statuses).toEqual(new Set([200]))
  expect(before).toBeLessThan(most)
})

it('starts the requests of one client in their order', async () => {
  const done: number[] = []
  const requests = Array.from({ length: 20 }, async (_, n) => {
    await request('192.0.2.4', `&ordered${n}`)
    done.push(n)
  })
  await Promise.all(requests)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
})

it('gives no turn to a request whose client has left', async () => {
  const leaving = new AbortController()
  const requests = Array.from({ length: REQUESTS }, (_, n) =>
    request('192.0.2.5', `&left${n}`, { signal: leaving.signal }),
  )
  const next = request('192.0.2.5', '&next')
  leaving.abort()
  const waiting = new Set([next])
  void next.finally(() => waiting.clear())
  let turns = 0
  for (; waiting.size > 0; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect((await next).status).toBe(200)
  expect(turns).toBeLessThan(20)
  await Promise.all(requests)
})
