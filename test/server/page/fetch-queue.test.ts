// Covers the queue in which pages wait to be fetched.
import { expect, it, vi } from 'vitest'
import type { PageReadResult } from '../../../src/server/page/index.js'
import { pageSite } from './page-site.js'

const MAX_PAGES_PER_CLIENT = 12
const MAX_WAITING_PER_CLIENT = 500

/** A site with a page, and a site that does not respond until `respond` is called; `hang` requests it as one client. */
async function hangingSite() {
  const responses: (() => void)[] = []
  const site = await pageSite({
    '/': '<title>Page</title>',
    '/hangs': (_, response) => void responses.push(() => response.end('<title>Late</title>')),
  })
  const pending: Promise<PageReadResult>[] = []
  const hang = (count: number, client: string, signal?: AbortSignal) => {
    const reads = Array.from({ length: count }, () => site.read({}, '/hangs', { client, ...(signal && { signal }) }))
    pending.push(...reads)
    return reads
  }
  const requestsOf = (path: string) => site.requests.filter((request) => request === `GET ${path}`).length
  const respond = async () => {
    site.routes['/hangs'] = '<title>Late</title>'
    for (const end of responses) end()
    return Promise.allSettled(pending)
  }
  return { ...site, hang, requestsOf, respond }
}

it('fetches at most 12 pages of one client at the same time, and one of another client at once', async () => {
  const site = await hangingSite()
  void site.hang(40, 'busy')
  await vi.waitFor(() => expect(site.requestsOf('/hangs')).toBe(MAX_PAGES_PER_CLIENT))
  expect((await site.read({}, '/', { client: 'other' })).data.title).toBe('Page')
  expect(site.requestsOf('/hangs')).toBe(MAX_PAGES_PER_CLIENT)
  const results = await site.respond()
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
})

it('does not count the wait as time to load the page', async () => {
  const site = await hangingSite()
  const reads = site.hang(MAX_PAGES_PER_CLIENT + 1, 'busy')
  await vi.waitFor(() => expect(site.requestsOf('/hangs')).toBe(MAX_PAGES_PER_CLIENT))
  const respondedAt = performance.now()
  await site.respond()
  const { load } = (await reads.at(-1)!).timings
  expect(load).toBeLessThanOrEqual(performance.now() - respondedAt)
})

it('refuses a client of which 500 pages wait', async () => {
  const site = await hangingSite()
  const reads = site.hang(MAX_PAGES_PER_CLIENT + MAX_WAITING_PER_CLIENT + 1, 'busy')
  await expect(reads.at(-1)).rejects.toMatchObject({
    code: 'EBUSY',
    message: 'Too many pages are being fetched. Try again in 2 seconds.',
    retryAfterMs: 2_000,
  })
  expect((await site.read({}, '/', { client: 'other' })).data.title).toBe('Page')
  await site.respond()
})

it('lets a page that waits go with the reason of its signal', async () => {
  const site = await hangingSite()
  const caller = new AbortController()
  void site.hang(MAX_PAGES_PER_CLIENT, 'busy')
  const [waiting] = site.hang(1, 'busy', caller.signal)
  caller.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await site.respond()
  expect(site.requestsOf('/hangs')).toBe(MAX_PAGES_PER_CLIENT)
})
