import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, type ClientOptions } from '../../src/client/index.js'
import { PageError, parseQuery, type PageQuery } from '../../src/query/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'

const TARGET = 'https://shoreline.example/essays'
const body = { status: 'success', data: { title: 'Tides' }, statusCode: 200, headers: {}, redirects: [] }

const json =
  (body: unknown, statusCode = 200, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    void response.writeHead(statusCode, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const fail = (code: string, statusCode: number, headers: Record<string, string> = {}) =>
  json(
    { status: statusCode < 500 ? 'fail' : 'error', code, message: `It is ${code}.`, data: { url: 'bad' } },
    statusCode,
    headers,
  )
const inSequence = (...routes: Extract<Route, (...parts: never[]) => unknown>[]): Route => {
  let turn = 0
  return (request, response) => routes[Math.min(turn++, routes.length - 1)]!(request, response)
}
const never: Route = () => {}

let site: LocalSite
const clientOf = (options: ClientOptions = {}) => createClient({ endpoint: `${site.url}/`, ...options })
const failureOf = async (promise: Promise<unknown>): Promise<PageError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(PageError)
  return error as PageError
}

beforeEach(async () => {
  site = await localSite({ '/': json(body) })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.close()
})

describe('page', () => {
  it('resolves to the body with the values of its headers', async () => {
    site.routes['/'] = json(body, 200, {
      'x-cache-status': 'STALE',
      'x-timestamp': '1700000000000',
      'x-cache-ttl': '86400000',
      age: '12',
      'x-rate-limit-limit': '250',
      'x-rate-limit-remaining': '249',
      'x-rate-limit-reset': '1700006400',
    })
    expect(await clientOf().page({ url: TARGET })).toEqual({
      ...body,
      cache: { status: 'STALE', ageMs: 12_000, ttlMs: 86_400_000, timestamp: 1_700_000_000_000 },
      rateLimit: { limit: 250, remaining: 249, reset: 1_700_006_400 },
    })
  })

  it('leaves values undefined that the headers lack', async () => {
    const { cache, rateLimit } = await clientOf().page({ url: TARGET })
    expect(cache).toEqual({ status: undefined, ageMs: undefined, ttlMs: undefined, timestamp: undefined })
    expect(rateLimit).toBeUndefined()
  })

  it('requests the canonical query', async () => {
    await clientOf().page(parseQuery(`?url=${encodeURIComponent(TARGET)}&full_page=true&adblock=true`))
    expect(site.requests).toEqual([`GET /?screenshot.fullPage=true&url=${encodeURIComponent(TARGET)}`])
  })

  it('adds its own warnings about unknown parameters to the warnings of the service', async () => {
    site.routes['/'] = json({ ...body, warnings: ['The revalidation failed.'] })
    const { warnings } = await clientOf().page(parseQuery({ url: TARGET, colour: 'red' }))
    expect(warnings).toEqual(['Unknown parameter "colour" was ignored.', 'The revalidation failed.'])
  })

  it.each<[PageQuery, string]>([
    [{ url: 'shoreline.example' }, 'EINVALURL'],
    [{ url: TARGET, ttl: '1s' }, 'EINVALTTL'],
    [{ url: TARGET, headers: { host: 'x' } }, 'EHEADERS'],
  ])('refuses %o with %s before any request', async (query, code) => {
    expect(await failureOf(clientOf().page(query))).toMatchObject({ code })
    expect(site.requests).toEqual([])
  })

  it('rejects with the error of the service', async () => {
    site.routes['/'] = fail('EELEMENT', 422)
    expect(await failureOf(clientOf().page({ url: TARGET }))).toMatchObject({
      code: 'EELEMENT',
      message: 'It is EELEMENT.',
      status: 422,
      data: { url: 'bad' },
    })
  })

  it('distinguishes an unknown key from a missing one', async () => {
    site.routes['/'] = fail('EAUTH', 403)
    expect(await failureOf(clientOf().page({ url: TARGET }))).toMatchObject({ code: 'EAUTH', status: 403 })
  })

  it.each([
    ['an HTML page', '<h1>Hello</h1>'],
    ['an array', '[]'],
    ['a success without data', '{"status":"success"}'],
    ['nothing', ''],
  ])('rejects %s as the body of a response', async (_, body) => {
    site.routes['/'] = body
    const error = await failureOf(clientOf().page({ url: TARGET }))
    expect(error.code).toBe('EFATALCLIENT')
    expect(error.message).toContain('is not a preview service (HTTP 200)')
    expect(site.requests).toHaveLength(1)
  })

  it('names the service without the query, which may carry a token for the page', async () => {
    site.routes['/'] = '<h1>Hello</h1>'
    const error = await failureOf(clientOf().page({ url: TARGET, headers: { authorization: 'Bearer hush' } }))
    expect(error.message).toBe(`${site.url}/ is not a preview service (HTTP 200).`)
  })

  it('takes any time limit', async () => {
    expect(await clientOf({ timeout: Infinity }).page({ url: TARGET })).toMatchObject({ status: 'success' })
  })

  it('names the unknown error code of a newer service', async () => {
    site.routes['/'] = fail('ETOMORROW', 400)
    const error = await failureOf(clientOf().page({ url: TARGET }))
    expect(error.code).toBe('EFATALCLIENT')
    expect(error.message).toContain('the unknown error ETOMORROW: It is ETOMORROW.')
  })

  it('sends the key as a header to the pro host and in no URL', async () => {
    let key: unknown
    site.routes['/pro'] = (request, response) => {
      key = request.headers['x-api-key']
      response.end(JSON.stringify(body))
    }
    const endpoint = { free: site.url, pro: `${site.url}/pro` }
    await createClient({ endpoint, apiKey: 'pp_one_two' }).page({ url: TARGET })
    expect(key).toBe('pp_one_two')
    await createClient({ endpoint }).page({ url: TARGET, headers: { apiKey: 'pp_three', accept: 'x' } })
    expect(key).toBe('pp_three')
    expect(site.requests.map((line) => line.split('?')[0])).toEqual(['GET /pro', 'GET /pro'])
    expect(site.requests.join()).not.toMatch(/pp_|apiKey/)
  })

  it.each([
    ['an end of line', 'pp_one_two\n', 'pp_one_two'],
    ['characters that no header may have', 'pp_a_b\nHUSH', 'pp_a_b%0AHUSH'],
  ])('sends a key with %s once, and says nothing of it in an error', async (_, apiKey, sent) => {
    const keys: unknown[] = []
    site.routes['/'] = (request, response) => {
      keys.push(request.headers['x-api-key'])
      response.writeHead(403).end(JSON.stringify({ status: 'fail', code: 'EAUTH', message: 'The API key is unknown.' }))
    }
    const error = await clientOf({ apiKey })
      .page({ url: TARGET })
      .catch((error: unknown) => error)
    expect([error, String((error as Error).cause)]).toEqual([expect.objectContaining({ code: 'EAUTH' }), 'undefined'])
    expect(keys).toEqual([sent])
  })

  it('does not follow a redirect with a key, as any runtime can', async () => {
    const redirects: unknown[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      redirects.push(init?.redirect)
      return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })
    }
    const client = createClient({ endpoint: 'https://previews.test', apiKey: 'pp_a_b', fetch })
    await expect(client.page({ url: TARGET })).rejects.toMatchObject({ code: 'EFATALCLIENT', status: 302 })
    // Workers of Cloudflare have no `error`.
    expect(redirects).toEqual(['manual'])
  })

  it('sends custom headers', async () => {
    let tenant: unknown
    site.routes['/'] = (request, response) => {
      tenant = request.headers['x-tenant']
      response.end(JSON.stringify(body))
    }
    await clientOf({ headers: { 'x-tenant': 'a' } }).page({ url: TARGET })
    expect(tenant).toBe('a')
  })

  it('bypasses the HTTP cache when it revalidates', async () => {
    const inits: (RequestInit | undefined)[] = []
    const client = clientOf({
      fetch: (input, init) => {
        inits.push(init)
        return fetch(input, init)
      },
    })
    await client.page({ url: TARGET }, { revalidate: true })
    await client.page({ url: TARGET })
    expect(inits.map((init) => (init as { cache?: string }).cache)).toEqual(['no-cache', undefined])
  })
})

describe('retries', () => {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
  })

  it.each([408, 502, 503, 504])('retries after HTTP %i', async (statusCode) => {
    site.routes['/'] = inSequence(fail('EBUSY', statusCode) as never, json(body) as never)
    expect(await clientOf().page({ url: TARGET })).toMatchObject({ status: 'success' })
    expect(site.requests).toHaveLength(2)
  })

  it.each([
    [400, 'EINVALURL'],
    [401, 'EAUTH'],
    [404, 'ENOEMBED'],
    [422, 'EELEMENT'],
    [429, 'ERATE'],
    [500, 'EFATAL'],
  ])('does not retry after HTTP %i', async (statusCode, code) => {
    site.routes['/'] = fail(code, statusCode)
    await failureOf(clientOf().page({ url: TARGET }))
    expect(site.requests).toHaveLength(1)
  })

  it('retries after a broken connection, and gives up after the third attempt', async () => {
    site.routes['/'] = (request) => void request.socket.destroy()
    const error = await failureOf(clientOf().page({ url: TARGET }))
    expect(error).toMatchObject({ code: 'EFATALCLIENT', status: 0 })
    expect(error.message).toContain(`No response from ${site.url}/`)
    expect(error.cause).toBeInstanceOf(Error)
    expect(site.requests).toHaveLength(3)
  })

  it('sends one request with retry 0', async () => {
    site.routes['/'] = fail('ETIMEOUT', 504)
    expect(await failureOf(clientOf({ retry: 0 }).page({ url: TARGET }))).toMatchObject({ code: 'ETIMEOUT' })
    expect(site.requests).toHaveLength(1)
  })

  it('waits as long as retry-after requires', async () => {
    site.routes['/'] = inSequence(fail('EBUSY', 503, { 'retry-after': '1' }) as never, json(body) as never)
    const start = performance.now()
    await clientOf().page({ url: TARGET })
    expect(performance.now() - start).toBeGreaterThan(950)
  })

  it('does not wait for a long retry-after, and reports it in the error', async () => {
    site.routes['/'] = fail('EBUSY', 503, { 'retry-after': '3600' })
    expect(await failureOf(clientOf().page({ url: TARGET }))).toMatchObject({ code: 'EBUSY', retryAfterMs: 3_600_000 })
    expect(site.requests).toHaveLength(1)
  })

  it('accepts a date as retry-after', async () => {
    site.routes['/'] = fail('ERATE', 429, { 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() })
    const { retryAfterMs } = await failureOf(clientOf().page({ url: TARGET }))
    expect(retryAfterMs! / 7_200_000).toBeCloseTo(1, 2)
  })

  it('increases its delays up to a maximum', async () => {
    const { retryDelayMs } = await import('../../src/client/request.js')
    vi.mocked(Math.random).mockReturnValue(1)
    expect([0, 1, 2, 20].map((attempt) => retryDelayMs(attempt))).toEqual([300, 600, 1_200, 10_000])
    expect(retryDelayMs(0, 2_000)).toBe(2_300)
    expect(retryDelayMs(0, 30_001)).toBeUndefined()
  })

  it('starts the time limit of a request when at most five earlier ones are unfinished', async () => {
    vi.useFakeTimers()
    const respond: (() => void)[] = []
    const queue: typeof fetch = (_, init) =>
      new Promise((resolve, reject) => {
        respond.push(() => resolve(Response.json(body)))
        init!.signal!.addEventListener('abort', reject)
      })
    const client = clientOf({ fetch: queue, timeout: 1_000, retry: 0 })
    const outcomes: (string | undefined)[] = Array.from({ length: 8 })
    const requests = outcomes.map((_, index) =>
      client.page({ url: TARGET }).then(
        ({ status }) => (outcomes[index] = status),
        ({ code }: PageError) => (outcomes[index] = code),
      ),
    )
    await vi.advanceTimersByTimeAsync(600)
    respond[2]!()
    await vi.advanceTimersByTimeAsync(600)
    const first = ['ETIMEOUTCLIENT', 'ETIMEOUTCLIENT', 'success', 'ETIMEOUTCLIENT', 'ETIMEOUTCLIENT', 'ETIMEOUTCLIENT']
    expect(outcomes).toEqual([...first, undefined, undefined])
    // The seventh was sent when the third had its response, 600 ms after the first.
    await vi.advanceTimersByTimeAsync(500)
    expect(outcomes).toEqual([...first, 'ETIMEOUTCLIENT', undefined])
    respond[7]!()
    await Promise.all(requests)
    expect(outcomes.at(-1)).toBe('success')
    vi.useRealTimers()
  })

  it('ends every request after twice its time limit, however many are before it', async () => {
    vi.useFakeTimers()
    const silent: typeof fetch = (_, init) =>
      new Promise((_, reject) => init!.signal!.addEventListener('abort', reject))
    const client = clientOf({ fetch: silent, timeout: 1_000, retry: 0 })
    const codes: string[] = []
    const requests = Array.from({ length: 60 }, () =>
      client.page({ url: TARGET }).catch(({ code }: PageError) => void codes.push(code)),
    )
    await vi.advanceTimersByTimeAsync(2_000)
    expect(codes).toHaveLength(60)
    await Promise.all(requests)
    vi.useRealTimers()
  })

  it('aborts a running request', async () => {
    const controller = new AbortController()
    const isClosed = new Promise<void>((resolve) => {
      site.routes['/'] = (request) => {
        request.on('close', resolve)
        controller.abort()
      }
    })
    const error = await failureOf(clientOf().page({ url: TARGET }, { signal: controller.signal }))
    expect(error.code).toBe('EABORTED')
    await isClosed
    expect(site.requests).toHaveLength(1)
  })

  it('sends nothing when the signal is aborted already', async () => {
    const error = await failureOf(clientOf().page({ url: TARGET }, { signal: AbortSignal.abort() }))
    expect(error.code).toBe('EABORTED')
    expect(site.requests).toEqual([])
  })

  it('aborts a retry delay', async () => {
    const controller = new AbortController()
    site.routes['/'] = (_, response) => {
      response.on('finish', () => setImmediate(() => controller.abort()))
      response.writeHead(503, { 'retry-after': '20' }).end('{}')
    }
    const start = performance.now()
    const error = await failureOf(clientOf().page({ url: TARGET }, { signal: controller.signal }))
    expect(error.code).toBe('EABORTED')
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(site.requests).toHaveLength(1)
  })

  it('times out when the service does not respond', async () => {
    site.routes['/'] = never
    const error = await failureOf(clientOf({ timeout: 50 }).page({ url: TARGET }))
    expect(error).toMatchObject({ code: 'ETIMEOUTCLIENT', message: 'The service did not respond within 50 ms.' })
    // On a busy machine it may not even have arrived.
    expect(site.requests.length).toBeLessThanOrEqual(1)
  })

  it('times out when the service stops in the middle of a response', async () => {
    site.routes['/'] = (_, response) => void response.writeHead(200).write('{"status":')
    expect(await failureOf(clientOf({ timeout: 50 }).page({ url: TARGET }))).toMatchObject({ code: 'ETIMEOUTCLIENT' })
  })
})

describe('URLs', () => {
  const client = createClient({ endpoint: { free: 'https://free.example', pro: 'https://pro.example/' } })

  it('embed the screenshot by default', () => {
    const url = new URL(client.embedUrl({ url: TARGET, element: '#main' }))
    expect(url.origin).toBe('https://free.example')
    expect(Object.fromEntries(url.searchParams)).toEqual({ url: TARGET, element: '#main', embed: 'screenshot.url' })
    expect(new URL(client.embedUrl({ url: TARGET })).searchParams.get('screenshot')).toBe('true')
  })

  it('embed the field that the query names', () => {
    const url = new URL(client.embedUrl({ url: TARGET, embed: 'image.url' }))
    expect(Object.fromEntries(url.searchParams)).toEqual({ url: TARGET, embed: 'image.url' })
  })

  it('lead to the pro host when there is a key, and do not contain it', () => {
    const pro = createClient({
      endpoint: { free: 'https://free.example', pro: 'https://pro.example/' },
      apiKey: 'pp_a_b',
    })
    expect(pro.embedUrl({ url: TARGET })).toMatch(/^https:\/\/pro\.example\/\?embed/)
    expect(pro.requestUrl({ url: TARGET, headers: { apiKey: 'pp_c_d' } })).not.toContain('pp_')
  })

  it('stay on the page’s own origin by default', () => {
    expect(createClient().requestUrl({ url: 'https://a.example' })).toBe('/page-preview?url=https%3A%2F%2Fa.example')
  })

  it('lead to the free host when the key is empty, as of an unset variable', () => {
    const free = createClient({ endpoint: { free: 'https://free.example' }, apiKey: '' })
    expect(free.requestUrl({ url: TARGET, headers: { apiKey: '' } })).toMatch(/^https:\/\/free\.example\/\?url/)
  })

  it('need a pro host for a key', () => {
    const free = createClient({ endpoint: { free: 'https://free.example' }, apiKey: 'pp_a_b' })
    expect(() => free.requestUrl({ url: TARGET })).toThrow('endpoint must name the pro host')
  })

  it('do not change the query that they are built from', async () => {
    const query = Object.freeze({
      url: TARGET,
      headers: Object.freeze({ apiKey: 'k' }),
      screenshot: Object.freeze({ type: 'png' as const }),
    })
    expect(() => client.embedUrl(query)).not.toThrow()
  })
})
