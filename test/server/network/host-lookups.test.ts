import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readFailure } from '../../../src/server/jobs/index.js'
import { createHostLookups } from '../../../src/server/network/host-lookups.js'
import { PageError } from '../../../src/query/index.js'
import { rememberFailure, startEntries } from '../jobs/start-entries.js'

const PER_PAGE = 8
const LOOKUP_TIMEOUT_MS = 5_000

/** A name server that answers names under `.alive.example` alone. */
function createLookups() {
  const running = new Set<string>()
  let started = 0
  const lookups = createHostLookups((hostname, signal) => {
    started++
    if (hostname.endsWith('.alive.example')) return Promise.resolve(['93.184.215.14'])
    running.add(hostname)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        running.delete(hostname)
        reject(signal.reason)
      })
    })
  })
  const lookUp = (hostname: string, page = 'one', signal?: AbortSignal) => {
    const end = new AbortController()
    onTestFinished(() => end.abort(new Error('the test has ended')))
    const addresses = lookups.addressesOf(hostname, { page, isTrusted: false, signal: signal ?? end.signal })
    addresses.catch(() => undefined)
    return addresses
  }
  return { lookUp, running, started: () => started }
}

const failing = (code: string) =>
  createHostLookups(() => Promise.reject(Object.assign(new Error(`query ${code}`), { code })))

const options = { page: 'one', isTrusted: false, signal: undefined }

describe('look-ups of host names', () => {
  it('are a few at a time for one page, while those for another page are done at once', async () => {
    const { lookUp, running } = createLookups()
    for (let n = 0; n < 100; n++) void lookUp(`n${n}.dead.example`)
    await vi.waitFor(() => expect(running.size).toBe(PER_PAGE))
    expect(await lookUp('page.alive.example', 'another')).toEqual(['93.184.215.14'])
    expect(running.size).toBe(PER_PAGE)
  })

  it('of one name are shared by one page, and not with another one, whose own may wait', async () => {
    const { lookUp, started } = createLookups()
    const names = ['page.alive.example', 'page.alive.example', 'page.alive.example']
    await Promise.all(names.map((name) => lookUp(name)))
    expect(started()).toBe(1)
    for (let n = 0; n < PER_PAGE; n++) void lookUp(`n${n}.dead.example`)
    void lookUp('other.alive.example')
    expect(await lookUp('other.alive.example', 'another')).toEqual(['93.184.215.14'])
  })

  it('end at once when their requests are aborted, and the next ones start', async () => {
    const { lookUp, running } = createLookups()
    const requests = Array.from({ length: PER_PAGE }, () => new AbortController())
    for (const [n, { signal }] of requests.entries()) void lookUp(`n${n}.dead.example`, 'one', signal)
    await vi.waitFor(() => expect(running.size).toBe(PER_PAGE))
    const next = lookUp('page.alive.example')
    for (const request of requests) request.abort(new Error('the client disconnected'))
    expect(await next).toEqual(['93.184.215.14'])
    expect(running.size).toBe(0)
  })

  it('fail after 5 seconds, with the time in which they wait', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { lookUp } = createLookups()
    const names = Array.from({ length: 3 * PER_PAGE }, (_, n) => lookUp(`n${n}.dead.example`))
    const failures = Promise.all(names.map((name) => name.catch((error: unknown) => error)))
    await vi.advanceTimersByTimeAsync(LOOKUP_TIMEOUT_MS)
    expect(await failures).toEqual(names.map(() => expect.objectContaining({ code: 'ETIMEOUT', status: 504 })))
  })

  it('fail with EBUSY when too many for one page wait', async () => {
    const { lookUp } = createLookups()
    const names = Array.from({ length: 1_000 }, (_, n) => lookUp(`n${n}.dead.example`))
    await expect(names.at(-1)).rejects.toMatchObject({ code: 'EBUSY', status: 503 })
  })

  it.each(['ENOTFOUND', 'ENODATA'])('find no address after %s', async (code) => {
    expect(await failing(code).addressesOf('absent.example', options)).toEqual([])
  })

  it.each([
    ['ESERVFAIL', 'EINVALURL'],
    ['EREFUSED', 'EINVALURL'],
    ['ECONNREFUSED', 'EINVALURL'],
    ['ETIMEOUT', 'ETIMEOUT'],
    ['EAI_AGAIN', 'ETIMEOUT'],
  ])('fail after %s with %s, which is never cached, even as the cause of another error', async (code, expected) => {
    const lookup = failing(code).addressesOf('name.example', options)
    const error: unknown = await lookup.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'PageError', code: expected })
    const { entries } = startEntries()
    await rememberFailure(entries, new PageError('EUNREACHABLE', 'The page leads nowhere.', { cause: error }))
    expect(await readFailure('page', entries)).toBeUndefined()
  })
})
