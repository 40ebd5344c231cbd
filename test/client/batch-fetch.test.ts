// Covers lists of previews, between the client and a real service.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBatchFetch } from '../../src/client/batch-fetch.js'
import { createClient } from '../../src/client/index.js'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'

let site: LocalSite
let service: Service
/** Method and path of each request to the service. */
const sent: string[] = []

const send: typeof fetch = (url, init) => {
  const request = new Request(url, init)
  sent.push(`${request.method} ${new URL(request.url).pathname}`)
  return service.fetch(request)
}

beforeAll(async () => {
  site = await localSite({})
  for (let page = 0; page < 120; page++) site.routes[`/${page}`] = `<title>Page ${page}</title>`
  service = createService({ allowTargets: [site.host] })
  await service.ready()
})
beforeEach(() => void sent.splice(0))
afterAll(async () => {
  await service.close()
  await site.close()
})

const clientWith = (sendRequest: typeof fetch, options: { retry?: number; apiKey?: string } = {}) =>
  createClient({
    endpoint: 'http://previews.test',
    fetch: createBatchFetch({ fetch: sendRequest }),
    retry: 0,
    ...options,
  })
const pages = (count: number, more = {}) =>
  Array.from({ length: count }, (_, page) => ({ url: `${site.url}/${page}`, ...more }))

describe('createBatchFetch', () => {
  it('sends the previews that are requested together in lists of 50', async () => {
    const client = clientWith(send)
    const results = await Promise.all(pages(120).map((query) => client.page(query)))
    expect(results.map(({ data }) => data.title)).toEqual(pages(120).map((_, page) => `Page ${page}`))
    expect(results[7]).toMatchObject({ cache: { status: 'MISS', ttlMs: 86_400_000 }, rateLimit: { limit: 250 } })
    expect(sent).toEqual(['POST /previews', 'POST /previews', 'POST /previews'])
  })

  it('sends one preview as it is, and others later in another list', async () => {
    const client = clientWith(send)
    await client.page(pages(1)[0]!)
    await Promise.all(pages(2).map((query) => client.page(query)))
    expect(sent).toEqual(['GET /', 'POST /previews'])
  })

  it('fails each preview with its own error', async () => {
    const client = clientWith(send)
    const results = await Promise.allSettled(
      [...pages(2), { url: 'http://10.0.0.1/' }].map((query) => client.page(query)),
    )
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'EFORBIDDENURL', status: 403 } },
    ])
  })

  it.each([404, 405, 403, 501, 200])('goes on without lists after a %s', async (status) => {
    const withoutLists: typeof fetch = async (url, init) => {
      const response = send(url, init)
      return init?.method === 'POST' ? new Response('<h1>Something else</h1>', { status }) : response
    }
    const client = clientWith(withoutLists)
    for (let time = 0; time < 2; time++)
      expect(await Promise.all(pages(3).map((query) => client.page(query)))).toHaveLength(3)
    expect(sent).toEqual(['POST /previews', ...Array<string>(6).fill('GET /')])
  })

  it('requests nothing again by itself when the service is busy', async () => {
    const busy: typeof fetch = (url, init) => {
      void send(url, init)
      return Promise.resolve(Response.json({ status: 'error', code: 'EBUSY', message: 'Busy.' }, { status: 503 }))
    }
    const results = await Promise.allSettled(pages(3).map((query) => clientWith(busy).page(query)))
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'EBUSY', status: 503 } })
  })

  it('fails the previews whose line does not come', async () => {
    const cut: typeof fetch = async () =>
      new Response('{"index":1,"status":200,"headers":{},"body":{"status":"success","data":{}}}\n{"ind', {
        headers: { 'content-type': 'application/x-ndjson' },
      })
    const client = clientWith(cut)
    expect(await Promise.allSettled(pages(3).map((query) => client.page(query)))).toMatchObject([
      { reason: { code: 'EFATALCLIENT' } },
      { status: 'fulfilled' },
      { reason: { code: 'EFATALCLIENT' } },
    ])
  })

  it('ends the list when nobody waits for it any more, and not before', async () => {
    let signal: AbortSignal | null | undefined
    const never: typeof fetch = (_, init) => {
      signal = init?.signal
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal!.reason as Error)))
    }
    const client = clientWith(never)
    const [first, second] = [new AbortController(), new AbortController()]
    const results = Promise.allSettled([
      client.page(pages(1)[0]!, { signal: first.signal }),
      client.page(pages(2)[1]!, { signal: second.signal }),
    ])
    await vi.waitFor(() => expect(signal).toBeDefined())
    first.abort()
    expect(signal!.aborted).toBe(false)
    second.abort()
    expect(signal!.aborted).toBe(true)
    expect(await results).toMatchObject([{ reason: { code: 'EABORTED' } }, { reason: { code: 'EABORTED' } }])
  })

  it('sends a query that no list takes by itself, and lists of no more than the service accepts', async () => {
    const client = clientWith(send)
    const [first, second, ...others] = pages(4)
    const long = { url: `${first!.url}?q=${encodeURIComponent('ж'.repeat(900))}` }
    site.routes[new URL(long.url).pathname + new URL(long.url).search] = '<title>Long</title>'
    expect(await Promise.all([long, second!, ...others].map((query) => client.page(query)))).toHaveLength(4)
    expect(sent.toSorted()).toEqual(['GET /', 'POST /previews'])
    sent.splice(0)
    const styles = 'a{color:red}'.repeat(300)
    await Promise.all(pages(40, { styles, meta: { title: true } }).map((query) => client.page(query)))
    expect(sent).toEqual(['POST /previews', 'POST /previews'])
  })

  it('sends each preview of a list that is refused by itself, and later lists again', async () => {
    const picky: typeof fetch = async (url, init) =>
      init?.method === 'POST' ? (sent.push('POST'), new Response('no', { status: 413 })) : send(url, init)
    const client = clientWith(picky)
    for (let time = 0; time < 2; time++)
      expect(await Promise.all(pages(2).map((query) => client.page(query)))).toHaveLength(2)
    expect(sent).toEqual(['POST', 'GET /', 'GET /', 'POST', 'GET /', 'GET /'])
  })

  it('passes the options of a request on, and rejects what is aborted or throws', async () => {
    const inits: (RequestInit | undefined)[] = []
    const batch = createBatchFetch({
      fetch: (url, init) => {
        inits.push(init)
        if (typeof url === 'string' && url.includes('broken')) throw new TypeError('no such scheme')
        return send(url, init)
      },
    })
    const at = (page: string, init?: RequestInit) => batch(`http://previews.test/?url=${site.url}/${page}`, init)
    await Promise.all([at('1', { credentials: 'include' }), at('2', { credentials: 'include' })])
    expect(inits).toMatchObject([{ method: 'POST', credentials: 'include' }])
    await expect(at('3', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    await expect(at('broken')).rejects.toThrow('no such scheme')
  })

  it('keeps previews with a key apart from others, and what HTTP caches have to check', async () => {
    const batch = createBatchFetch({ fetch: send })
    const at = (page: number, init?: RequestInit) => batch(`http://previews.test/?url=${site.url}/${page}`, init)
    await Promise.all([at(1), at(2), at(3, { headers: { 'x-api-key': 'a' } }), at(4, { cache: 'no-cache' })])
    expect(sent.toSorted()).toEqual(['GET /', 'GET /', 'POST /previews'])
  })

  it('sends headers as they are in any form', async () => {
    const keys: (string | null)[] = []
    const batch = createBatchFetch({
      fetch: async (url, init) => {
        keys.push(new Request(url, init).headers.get('x-api-key'))
        return new Response('no', { status: 503 })
      },
    })
    const forms: HeadersInit[] = [{ 'x-api-key': 'a' }, [['x-api-key', 'b']], new Headers({ 'x-api-key': 'c' })]
    for (const headers of forms)
      await Promise.all([1, 2].map((page) => batch(`http://previews.test/?url=${page}`, { headers })))
    expect(keys).toEqual(['a', 'b', 'b', 'c', 'c'])
  })

  it('leaves nothing at a signal that outlives the requests', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const adding = vi
      .spyOn(signal, 'addEventListener')
      .mockImplementation((type: string, listener: unknown, options: unknown) => {
        listeners++
        const { signal: ended } = options as AddEventListenerOptions
        ended!.addEventListener('abort', () => listeners--)
        add(type as 'abort', listener as () => void, options as AddEventListenerOptions)
      })
    const batch = createBatchFetch({ fetch: send })
    await Promise.all([1, 2].map((page) => batch(`http://previews.test/?url=${site.url}/${page}`, { signal })))
    await vi.waitFor(() => expect(listeners).toBe(0))
    expect(adding).toHaveBeenCalledTimes(4)
  })
})
