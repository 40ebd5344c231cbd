import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { openPreviews, toCardRequest, type PreviewEvent } from '../../../src/static/freeze/index.js'
import { readLock } from '../../../src/static/freeze/lock.js'
import { fakeSource } from './fake-source.js'
import { temporarySite } from './temporary-site.js'

it('keeps in the lock file what another process has captured since it was opened', async () => {
  const { paths } = await temporarySite({})
  const { source } = fakeSource()
  const sessions = await Promise.all(['a', 'b'].map(() => openPreviews({ ...paths, source })))
  for (const [index, previews] of sessions.entries()) {
    await previews.resolve(toCardRequest({ url: `https://site.test/${index}` }))
    await previews.save({ isComplete: false })
    await previews.close()
  }
  const urls = [...(await readLock(paths.lock)).values()].map(({ url }) => url)
  expect(urls).toEqual(['https://site.test/0', 'https://site.test/1'])
})

it.each([
  ['EBRWSRTIMEOUT', false],
  ['ETIMEOUTCLIENT', false],
  ['EBUSY', false],
  ['EFATAL', false],
  ['ERATE', false],
  ['ETIMEOUT', true],
  ['EUNREACHABLE', true],
  ['EELEMENT', true],
] as const)('after %s, a card is out of date: %s', async (code, isStale) => {
  const { paths } = await temporarySite({})
  const { source, pages } = fakeSource()
  const request = toCardRequest({ url: 'https://site.test/' })
  const resolveOnce = async (refresh: boolean) => {
    const previews = await openPreviews({
      ...paths,
      source,
      archive: true,
      ...(refresh && { refresh: [request.query.url] }),
    })
    const preview = await previews.resolve(request)
    await previews.save({ isComplete: true })
    await previews.close()
    return preview
  }
  await resolveOnce(false)
  pages['https://site.test/'] = { error: new PageError(code, 'It failed.') }
  expect(await resolveOnce(true)).toHaveProperty('data.title')
  const [entry] = (await readLock(paths.lock)).values()
  expect(entry?.failure !== undefined).toBe(isStale)
})

it.each(['dark page', 'image'] as const)('keeps the card while the %s waits for a browser in vain', async (part) => {
  const { paths } = await temporarySite({})
  const { source } = fakeSource()
  const request = toCardRequest({ url: 'https://site.test/', colorSchemes: 'light dark', screenshot: true })
  const events: PreviewEvent[] = []
  const resolveWith = async (used: typeof source, refresh: readonly string[]) => {
    const previews = await openPreviews({
      ...paths,
      source: used,
      refresh: [...refresh],
      onPreview: (event) => events.push(event),
    })
    await previews.resolve(request)
    await previews.save({ isComplete: true })
    await previews.close()
    return [...(await readLock(paths.lock)).values()]
  }
  const good = await resolveWith(source, [])
  expect(good).toMatchObject([{ preview: { darkImage: {} } }])
  let failures = 0
  const fail = () => {
    failures++
    throw new PageError('EBRWSRTIMEOUT', 'No browser was free.')
  }
  const busy: typeof source = {
    ...source,
    page: async (query, signal) =>
      part === 'dark page' && query.colorScheme === 'dark' ? fail() : source.page(query, signal),
    variants: async (...options) => (part === 'image' ? fail() : source.variants(...options)),
  }
  expect(await resolveWith(busy, [request.query.url])).toEqual(good)
  expect(events.at(-1)).toMatchObject({ outcome: 'failed', failure: { code: 'EBRWSRTIMEOUT' } })
  expect(failures).toBe(part === 'image' ? 6 : 3)
})

it('captures no image of a preview any more when the preview has failed', async () => {
  const { paths } = await temporarySite({})
  const { source } = fakeSource()
  let running = 0
  let atOnce = 0
  const previews = await openPreviews({
    ...paths,
    source: {
      ...source,
      async page(query, signal) {
        if (query.colorScheme === 'dark') throw new PageError('EBRWSRTIMEOUT', 'No browser was free.')
        return source.page(query, signal)
      },
      async variants(...options) {
        atOnce = Math.max(atOnce, ++running)
        for (let turn = 0; turn < 10; turn++) await nextTurn()
        running--
        return source.variants(...options)
      },
    },
  })
  await previews.resolve(toCardRequest({ url: 'https://site.test/', colorSchemes: 'light dark', screenshot: true }))
  expect({ running, atOnce }).toEqual({ running: 0, atOnce: 1 })
  await previews.close()
})

afterEach(() => void vi.useRealTimers())

it('reports a service that stays busy as busy, not the page as slow', async () => {
  const { paths } = await temporarySite({})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let requests = 0
  const fetchBusy = async () => {
    requests++
    const body = { status: 'error', code: 'EBUSY', message: 'Busy.' }
    return Response.json(body, { status: 503, headers: { 'retry-after': '60' } })
  }
  const events: PreviewEvent[] = []
  const previews = await openPreviews({
    lock: paths.lock,
    cache: paths.cache,
    endpoint: 'https://service.test',
    fetch: fetchBusy,
    onPreview: (event) => events.push(event),
  })
  const resolved = previews.resolve(toCardRequest({ url: 'https://site.test/' }))
  while (events.length === 0) {
    await vi.advanceTimersByTimeAsync(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await resolved).toBeUndefined()
  expect(events).toMatchObject([{ outcome: 'failed', failure: { code: 'EBUSY' } }])
  expect(previews.serviceFailure()).toMatchObject({ code: 'EBUSY' })
  expect(requests).toBe(5)
  await previews.close()
})
