// Covers every error code, each provoked in a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../../src/query/index.js'
import { createService } from '../../../src/server/index.js'
import type { Failure } from './told.js'
import { overASocket, startWordService, type Way, type WordService } from './word-service.js'

/** `narrow` has neither a browser nor requests left, `busy` one place and one to wait. */
type Services = Record<'usual' | 'narrow' | 'busy', WordService>
interface Refusal {
  status: number
  headers: Headers
  failure: Failure
}
interface ErrorCase {
  when: string
  ask: (services: Services, by: Way) => Promise<Refusal>
  /** Default: the first of the code. */
  status?: number
  /** Default: whatever it is, as long as nothing is in it that is no text. */
  data?: Record<string, unknown>
  headers?: Record<string, string | RegExp>
}

const SOME_TIME = /^[1-9]\d*$/
const wayOf = (service: WordService, by: Way): Way => (by === overASocket ? by : service.directly)

async function refusal(response: Response): Promise<Refusal> {
  return { status: response.status, headers: response.headers, failure: (await response.json()) as Failure }
}

interface PreviewOptions {
  of?: keyof Services
  pro?: boolean
}

/** Asks for a page of the site, or for a whole address. */
const preview =
  (url: string, words: Record<string, string> = {}, { of = 'usual', pro = false }: PreviewOptions = {}) =>
  async (services: Services, by: Way): Promise<Refusal> => {
    const { site, serving, key } = services[of]
    const asked = new URLSearchParams({ url: url.startsWith('/') ? site.url + url : url, ...words })
    const headers: Record<string, string> = pro && of === 'narrow' ? { 'x-api-key': key } : {}
    const address = `${pro ? serving.pro : serving.free}/?${asked}`
    return refusal(await wayOf(services[of], by)(address, { headers }))
  }
const path =
  (text: string, init: RequestInit = {}) =>
  async ({ usual }: Services, by: Way) =>
    refusal(await wayOf(usual, by)(usual.serving.free + text, init))

/** Two more pages than there are places for: one may wait, but not for long, and the other is sent away. */
async function crowd({ busy }: Services, by: Way, code: ErrorCode): Promise<Refusal> {
  const way = wayOf(busy, by)
  const ask = (name: string, timeout: string, signal?: AbortSignal) => {
    const url = `${busy.site.url}/never?${name}${by === overASocket}${code}`
    const words = new URLSearchParams({ url, screenshot: 'true', timeout })
    return way(`${busy.serving.free}/?${words}`, signal ? { signal } : {})
  }
  const over = new AbortController()
  const first = ask('first', '20s', over.signal).catch(() => undefined)
  await expect.poll(() => busy.site.requests.filter((request) => request.includes('first')).length % 2).toBe(0)
  const others = await Promise.all(['second', 'third'].map(async (name) => refusal(await ask(name, '1500'))))
  over.abort()
  await first
  expect(others.map(({ failure }) => failure.code).toSorted()).toEqual(['EBRWSRTIMEOUT', 'EBUSY'])
  return others.find(({ failure }) => failure.code === code)!
}

const cases: Record<ErrorCode, ErrorCase[] | 'said by clients alone'> = {
  EINVALURL: [
    { when: 'there is none', ask: path('/'), data: { url: expect.any(String) } },
    { when: 'it is relative', ask: path('/?url=example.com'), data: { url: expect.any(String) } },
    {
      when: 'its host does not exist',
      ask: preview('http://no-such-host.invalid/'),
      data: { url: expect.any(String) },
    },
  ],
  EINVALQUERY: [
    {
      when: 'a word is bad',
      ask: preview('/painted', { screenshot: 'maybe' }),
      data: { screenshot: expect.any(String) },
    },
    {
      when: 'a selector cannot be parsed',
      ask: preview('/painted', { element: '..x' }),
      data: { element: expect.any(String) },
    },
    {
      when: 'a width is not offered',
      ask: path(`/images/${'0'.repeat(64)}.jpg?w=333`),
      data: { w: expect.any(String) },
    },
    {
      when: 'a type is not offered',
      ask: path(`/images/${'0'.repeat(64)}.jpg?type=gif`),
      data: { type: expect.any(String) },
    },
    {
      when: 'oEmbed is wanted as XML',
      ask: path('/oembed?url=https://a.test/&format=xml'),
      data: { format: expect.any(String) },
    },
  ],
  EINVALTTL: [{ when: 'out of range', ask: preview('/painted', { ttl: '59s' }), data: { ttl: expect.any(String) } }],
  EINVALSTTL: [
    {
      when: 'longer than ttl',
      ask: preview('/painted', { ttl: '1h', staleTtl: '2h' }),
      data: { staleTtl: expect.any(String) },
    },
  ],
  EHEADERS: [
    {
      when: 'it belongs to the connection',
      ask: preview('/painted', { 'headers.host': 'x' }),
      data: { 'headers.host': expect.any(String) },
    },
  ],
  EINVALOVERLAYBG: [
    {
      when: 'it is nothing',
      ask: preview('/painted', { 'overlay.background': 'nonsense' }),
      data: { 'overlay.background': expect.any(String) },
    },
    {
      when: 'the image cannot be reached',
      ask: preview('/painted', { 'overlay.background': 'http://10.0.0.1/x.png' }),
      data: { 'overlay.background': expect.any(String) },
    },
  ],
  EAUTH: [
    {
      when: 'there is no key',
      ask: preview('/painted', {}, { pro: true }),
      data: { apiKey: 'missing' },
      headers: { 'www-authenticate': /./ },
    },
    {
      when: 'the key is unknown',
      ask: preview('/painted', { 'headers.apiKey': 'pp_a_0123456789abcdef' }, { pro: true }),
      status: 403,
      data: { apiKey: 'unknown' },
    },
    {
      when: 'the signature is wrong',
      ask: preview('/painted', { keyId: 'a', expires: '9999999999', signature: 'x' }, { pro: true }),
      status: 403,
      data: { keyId: 'unknown' },
    },
  ],
  EFORBIDDENURL: [
    { when: 'the target is private', ask: preview('http://10.0.0.1/'), data: { url: expect.any(String) } },
    { when: 'a redirect leads there', ask: preview('/private'), data: { url: expect.any(String) } },
    {
      when: 'a redirect leads there, with a picture',
      ask: preview('/private', { screenshot: 'true' }),
      data: { url: expect.any(String) },
    },
  ],
  ENOEMBED: [
    {
      when: 'nothing was found',
      ask: preview('/painted', { embed: 'audio.url' }),
      data: { embed: expect.any(String) },
    },
    {
      when: 'there is no such field',
      ask: preview('/painted', { embed: 'colour.of.money' }),
      data: { embed: expect.any(String) },
    },
    {
      when: 'there is no screenshot',
      ask: preview('/painted', { embed: 'true' }),
      data: { embed: expect.any(String) },
    },
  ],
  ENOTFOUND: [
    { when: 'the path is unknown', ask: path('/nowhere') },
    { when: 'the image is unknown', ask: path(`/images/${'0'.repeat(64)}.jpg`) },
  ],
  EMETHOD: [
    { when: 'POST', ask: path('/', { method: 'POST' }), headers: { allow: 'GET, HEAD, OPTIONS' } },
    {
      when: 'DELETE of an image',
      ask: path(`/images/${'0'.repeat(64)}.jpg`, { method: 'DELETE' }),
      headers: { allow: /GET/ },
    },
  ],
  EELEMENT: [
    { when: 'missing', ask: preview('/hidden', { element: '#nowhere' }), data: { element: 'missing' } },
    { when: 'hidden', ask: preview('/hidden', { element: '#none' }), data: { element: 'hidden' } },
    { when: 'invisible', ask: preview('/hidden', { element: '#unseen' }), data: { element: 'hidden' } },
    { when: 'empty', ask: preview('/hidden', { element: '#empty' }), data: { element: 'empty' } },
  ],
  ETOOLARGE: [
    { when: 'the page has too many bytes', ask: preview('/large'), data: { url: expect.any(String) } },
    {
      when: 'the picture has too many pixels',
      ask: preview('/tall', { fullPage: 'true', 'viewport.width': '10000', 'viewport.deviceScaleFactor': '1' }),
    },
  ],
  ERATE: [
    {
      when: 'the day is used up',
      ask: preview('/painted', {}, { of: 'narrow' }),
      headers: { 'retry-after': SOME_TIME, 'x-rate-limit-remaining': '0', 'x-rate-limit-limit': '0' },
    },
  ],
  EFATAL: [
    { when: 'no browser starts', ask: preview('/painted', { screenshot: 'true' }, { of: 'narrow', pro: true }) },
  ],
  EUNREACHABLE: [
    { when: 'the connection is reset', ask: preview('/reset') },
    { when: 'the body breaks off', ask: preview('/broken') },
  ],
  EMAXREDIRECTS: [
    { when: 'they do not end', ask: preview('/loop') },
    { when: 'they do not end, with a picture', ask: preview('/loop', { screenshot: 'true' }) },
  ],
  EBUSY: [
    {
      when: 'all places are taken',
      ask: (services, by) => crowd(services, by, 'EBUSY'),
      headers: { 'retry-after': SOME_TIME },
    },
    {
      when: 'the service is stopping',
      ask: async () => {
        const service = createService()
        await service.close()
        return refusal(await service.fetch(new Request('http://previews.test/?url=https://a.test/')))
      },
      headers: { 'retry-after': SOME_TIME },
    },
  ],
  ETIMEOUT: [
    { when: 'the page does not answer', ask: preview('/never?1', { timeout: '300ms' }) },
    {
      when: 'the page does not answer, with a picture',
      ask: preview('/never?2', { timeout: '500ms', screenshot: 'true' }),
    },
  ],
  EBRWSRTIMEOUT: [{ when: 'the browser has no time', ask: (services, by) => crowd(services, by, 'EBRWSRTIMEOUT') }],
  EFATALCLIENT: 'said by clients alone',
  EABORTED: 'said by clients alone',
  ETIMEOUTCLIENT: 'said by clients alone',
}

const services = {} as Services
beforeAll(async () => {
  services.usual = await startWordService()
  services.narrow = await startWordService(['--free-daily-limit=0', '--browser=/nowhere/chromium'])
  services.busy = await startWordService(['--concurrency=1', '--queue=1'])
})
afterAll(async () => {
  for (const service of Object.values(services)) await service.close()
})

it('every code has a case, but for those of clients', () => {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  expect(Object.keys(cases).toSorted()).toEqual(codes.toSorted())
  for (const code of codes) expect(Array.isArray(cases[code]), code).toBe(errorCodes[code] !== 0)
})

const told = Object.entries(cases).flatMap(([code, list]) =>
  Array.isArray(list) ? list.map((one) => [code as ErrorCode, one.when, one] as const) : [],
)

describe.each([
  ['as a function', async (url: string, init?: RequestInit) => services.usual.directly(url, init)],
  ['over a socket', overASocket],
] as [string, Way][])('%s', (_, by) => {
  it.each(told)('%s: %s', async (code, __, { ask, status = errorCodes[code], data, headers = {} }) => {
    const refused = await ask(services, by)
    expect([refused.status, refused.failure]).toEqual([
      status,
      {
        status: status < 500 ? 'fail' : 'error',
        code,
        message: expect.stringMatching(/^.{12,}\.$/),
        more: expect.stringMatching(new RegExp(`^http://.*#${code}$`)),
        data: data ?? expect.any(Object),
      },
    ])
    for (const value of Object.values(refused.failure.data)) expect(value).toEqual(expect.any(String))
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    for (const [name, value] of Object.entries(headers))
      expect(refused.headers.get(name)).toEqual(value instanceof RegExp ? expect.stringMatching(value) : value)
    const requestId = refused.headers.get('x-request-id')
    if (code === 'EFATAL') expect(refused.failure.message).toContain(requestId!)
    expect(refused.failure.message).not.toMatch(/nowhere.chromium|node_modules/)
  })
})
