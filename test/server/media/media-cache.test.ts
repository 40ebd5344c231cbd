import { setMaxListeners } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createByteBudget } from '../../../src/server/budget/index.js'
import { createMediaCache } from '../../../src/server/media/index.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import type { Store } from '../../../src/server/store/index.js'
import { localSite } from '../../local-site.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const LARGE = Buffer.concat([PNG, Buffer.alloc(1_000_000)])
const MAX_FETCHES_PER_CLIENT = 3
const MAX_WAITING_PER_CLIENT = 50

/** A site with an image, and another image that never arrives; nothing is found in the store. */
async function hangingMedia() {
  const site = await localSite({
    '/image.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
    '/hangs.png': () => undefined,
    '/drips.svg': (_, response) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).write('<svg xmlns="http://www.w3.org/2000/svg">')
    },
    '/busy-once.png': (_, response) => {
      response.writeHead(429, { 'retry-after': '1' }).end()
      site.routes['/busy-once.png'] = site.routes['/image.png']!
    },
    '/reset-once.png': ({ socket }) => {
      socket.destroy()
      site.routes['/reset-once.png'] = site.routes['/image.png']!
    },
    '/broken.png': (_, response) => void response.writeHead(500).end(),
    '/busy.png': (_, response) => void response.writeHead(429, { 'retry-after': '60' }).end(),
    '/missing.png': (_, response) => void response.writeHead(404).end(),
    '/large.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(LARGE),
  })
  const guard = createGuard({ allowTargets: [site.host] })
  const dispatcher = createDispatcher(guard)
  const caller = new AbortController()
  // Every request that waits listens to it.
  setMaxListeners(0, caller.signal)
  onTestFinished(async () => {
    caller.abort(new Error('The test has ended.'))
    await dispatcher.destroy()
    await site.close()
  })
  const store = {
    entries: { readEntry: async () => undefined, writeEntry: async () => undefined },
    images: { writeImage: async () => 'image.png' },
    purges: { lastPurge: () => 0 },
  } as unknown as Store
  const byteBudget = createByteBudget({ maxWaitMs: 10 })
  const cache = createMediaCache({
    guard,
    dispatcher,
    store,
    byteBudget,
    clock: Date.now,
  })
  const refund = vi.fn(async () => undefined)
  const consumeQuota = vi.fn(async () => refund)
  const resolve = (path: string, client: string) =>
    cache.resolve(
      `${site.url}${path}`,
      'image',
      { createdAt: 0 },
      { client, apiKey: undefined, owner: client, signal: caller.signal, consumeQuota },
    )
  const hang = (count: number, client: string) => {
    const fetches = Array.from({ length: count }, (_, at) => resolve(`/hangs.png?${client}${at}`, client))
    for (const fetch of fetches) void fetch.catch(() => undefined)
    return fetches
  }
  const countHanging = () => site.requests.filter((request) => request.includes('/hangs.png')).length
  return { resolve, hang, countHanging, consumeQuota, refund, byteBudget, requests: site.requests }
}

it('fetches the media of one client while the media of another hang', async () => {
  const { resolve, hang, countHanging } = await hangingMedia()
  void hang(30, 'busy')
  await vi.waitFor(() => expect(countHanging()).toBe(MAX_FETCHES_PER_CLIENT))
  expect(await resolve('/image.png', 'other')).toMatchObject({ media: { width: 1, height: 1 }, cacheStatus: 'MISS' })
  expect(countHanging()).toBe(MAX_FETCHES_PER_CLIENT)
})

it.each(['/busy-once.png', '/reset-once.png'])('fetches a file again that fails in passing: %s', async (path) => {
  const { resolve, consumeQuota } = await hangingMedia()
  expect(await resolve(path, 'one')).toMatchObject({ media: { width: 1 }, cacheStatus: 'MISS' })
  expect(consumeQuota).toHaveBeenCalledOnce()
})

it.each([
  ['/broken.png', 500, 2],
  ['/busy.png', 429, 1],
  ['/missing.png', 404, 1],
])('says why a file could not be fetched: %s', async (path, status, requestCount) => {
  const { resolve, requests } = await hangingMedia()
  await expect(resolve(path, 'one')).rejects.toMatchObject({
    code: 'ENOEMBED',
    message: expect.stringContaining(`(status ${status})`),
  })
  expect(requests).toEqual(Array.from({ length: requestCount }, () => `GET ${path}`))
})

it('refuses a client of which 50 media wait, without quota and for this time only', async () => {
  const { resolve, hang, countHanging, consumeQuota } = await hangingMedia()
  void hang(MAX_FETCHES_PER_CLIENT + MAX_WAITING_PER_CLIENT, 'busy')
  await vi.waitFor(() => expect(countHanging()).toBe(MAX_FETCHES_PER_CLIENT))
  await expect(resolve('/image.png', 'busy')).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 2_000 })
  expect(consumeQuota).toHaveBeenCalledTimes(MAX_FETCHES_PER_CLIENT)
  expect(await resolve('/image.png', 'other')).toMatchObject({ cacheStatus: 'MISS' })
})

it('fails a large file with EBUSY while the memory is in use, without quota and for this time only', async () => {
  const { resolve, refund, byteBudget } = await hangingMedia()
  const { signal } = new AbortController()
  const holdAll = (work: () => Promise<void>) =>
    byteBudget.run('one', async (one) => {
      await one.reserve(Infinity, signal)
      await byteBudget.run('two', async (two) => {
        await two.reserve(Infinity, signal)
        await work()
      })
    })
  await holdAll(async () => {
    await expect(resolve('/large.png', 'other')).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 2_000 })
    expect(refund).toHaveBeenCalledOnce()
    expect(await resolve('/image.png', 'other')).toMatchObject({ cacheStatus: 'MISS' })
  })
  expect(await resolve('/large.png', 'other')).toMatchObject({ cacheStatus: 'MISS' })
})

it('gives up an SVG icon that sends less than 1 kB/s and never ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { resolve } = await hangingMedia()
  const outcome = expect(resolve('/drips.svg', 'slow')).rejects.toMatchObject({
    code: 'ETIMEOUT',
    message: 'The image of the page was not received in time.',
    cause: { cause: { name: 'SlowBodyError' } },
  })
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  for (let second = 1; second <= 4; second++) await vi.advanceTimersByTimeAsync(1_000)
  await outcome
})
