// Covers every error code, each provoked in a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes, type ErrorCode } from '../../../src/query/index.js'
import { createService } from '../../../src/server/index.js'
import { slowCases } from '../../shared/slow-cases.js'
import { overSocket, startParameterService, type ParameterService, type Transport } from './parameter-service.js'
import type { ErrorBody } from './preview-response.js'

/** `exhausted` has no browser and no quota left; `busy` captures one page at a time and queues one more. */
type Services = Record<'normal' | 'exhausted' | 'busy', ParameterService>
interface ErrorResponse {
  status: number
  headers: Headers
  body: ErrorBody
}
interface ErrorCase {
  when: string
  request: (services: Services, transport: Transport) => Promise<ErrorResponse>
  /** Default: as in `errorCodes`. */
  status?: number
  /** Default: any object whose values are text. */
  data?: Record<string, unknown>
  headers?: Record<string, string | RegExp>
}

const POSITIVE_INTEGER = /^[1-9]\d*$/
/** The same transport to another one of the services. */
const transportTo = (service: ParameterService, transport: Transport): Transport =>
  transport === overSocket ? transport : service.inProcess

async function readError(response: Response): Promise<ErrorResponse> {
  return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorBody }
}

interface PreviewOptions {
  from?: keyof Services
  isPro?: boolean
}

/** Requests the preview of a path of the site, or of an absolute URL. */
const preview =
  (url: string, parameters: Record<string, string> = {}, { from = 'normal', isPro = false }: PreviewOptions = {}) =>
  async (services: Services, transport: Transport): Promise<ErrorResponse> => {
    const { site, server, key } = services[from]
    const search = new URLSearchParams({ url: url.startsWith('/') ? site.url + url : url, ...parameters })
    const headers: Record<string, string> = isPro && from === 'exhausted' ? { 'x-api-key': key } : {}
    const requestUrl = `${isPro ? server.pro : server.free}/?${search}`
    return readError(await transportTo(services[from], transport)(requestUrl, { headers }))
  }
const path =
  (pathname: string, init: RequestInit = {}) =>
  async ({ normal }: Services, transport: Transport) =>
    readError(await transportTo(normal, transport)(normal.server.free + pathname, init))

/** Requests two pages more than are captured at a time: one waits in the queue until its timeout, the other is rejected. */
async function overload({ busy }: Services, transport: Transport, code: ErrorCode): Promise<ErrorResponse> {
  const send = transportTo(busy, transport)
  const pathOf = (name: string) => `/never?${name}${transport === overSocket}${code}`
  const request = (name: string, timeout: string, signal?: AbortSignal) => {
    const search = new URLSearchParams({ url: busy.site.url + pathOf(name), screenshot: 'true', timeout })
    return send(`${busy.server.free}/?${search}`, signal ? { signal } : {})
  }
  const controller = new AbortController()
  const first = request('first', '20s', controller.signal).catch(() => undefined)
  // The service and the browser.
  await expect.poll(() => busy.site.requests.filter((line) => line.includes(pathOf('first')))).toHaveLength(2)
  // More than the service expects a page to take, which the waits of these tests prolong.
  const others = await Promise.all(['second', 'third'].map(async (name) => readError(await request(name, '3000'))))
  controller.abort()
  await first
  expect(others.map(({ body }) => body.code).toSorted()).toEqual(['EBRWSRTIMEOUT', 'EBUSY'])
  return others.find(({ body }) => body.code === code)!
}

const cases: Record<ErrorCode, ErrorCase[] | 'only in clients'> = {
  EINVALURL: [
    { when: 'it is missing', request: path('/'), data: { url: expect.any(String) } },
    { when: 'it is relative', request: path('/?url=example.com'), data: { url: expect.any(String) } },
    {
      when: 'its host does not exist',
      request: preview('http://no-such-host.invalid/'),
      data: { url: expect.any(String) },
    },
  ],
  EINVALQUERY: [
    {
      when: 'a value is invalid',
      request: preview('/painted', { screenshot: 'maybe' }),
      data: { screenshot: expect.any(String) },
    },
    {
      when: 'a selector cannot be parsed',
      request: preview('/painted', { element: '..x' }),
      data: { element: expect.any(String) },
    },
    {
      when: 'an image width is not supported',
      request: path(`/images/${'0'.repeat(64)}.jpg?w=333`),
      data: { w: expect.any(String) },
    },
    {
      when: 'an image type is not supported',
      request: path(`/images/${'0'.repeat(64)}.jpg?type=gif`),
      data: { type: expect.any(String) },
    },
    {
      when: 'oEmbed is requested as XML',
      request: path('/oembed?url=https://a.test/&format=xml'),
      data: { format: expect.any(String) },
    },
  ],
  EINVALTTL: [
    { when: 'it is out of range', request: preview('/painted', { ttl: '59s' }), data: { ttl: expect.any(String) } },
  ],
  EINVALSTTL: [
    {
      when: 'it is longer than ttl',
      request: preview('/painted', { ttl: '1h', staleTtl: '2h' }),
      data: { staleTtl: expect.any(String) },
    },
  ],
  EHEADERS: [
    {
      when: 'the header belongs to the connection',
      request: preview('/painted', { 'headers.host': 'x' }),
      data: { 'headers.host': expect.any(String) },
    },
  ],
  EINVALOVERLAYBG: [
    {
      when: 'it is not a background',
      request: preview('/painted', { 'overlay.background': 'nonsense' }),
      data: { 'overlay.background': expect.any(String) },
    },
    {
      when: 'its image cannot be fetched',
      request: preview('/painted', { 'overlay.background': 'http://10.0.0.1/x.png' }),
      data: { 'overlay.background': expect.any(String) },
    },
  ],
  EAUTH: [
    {
      when: 'there is no key',
      request: preview('/painted', {}, { isPro: true }),
      data: { apiKey: 'missing' },
      headers: { 'www-authenticate': /./ },
    },
    {
      when: 'the key is unknown',
      request: preview('/painted', { 'headers.apiKey': 'pp_a_0123456789abcdef' }, { isPro: true }),
      status: 403,
      data: { apiKey: 'unknown' },
    },
    {
      when: 'the signature is wrong',
      request: preview('/painted', { keyId: 'a', expires: '9999999999', signature: 'x' }, { isPro: true }),
      status: 403,
      data: { keyId: 'unknown' },
    },
  ],
  EFORBIDDENURL: [
    { when: 'the target is private', request: preview('http://10.0.0.1/'), data: { url: expect.any(String) } },
    { when: 'a redirect leads to a private address', request: preview('/private'), data: { url: expect.any(String) } },
    {
      when: 'a redirect leads to a private address, with a screenshot',
      request: preview('/private', { screenshot: 'true' }),
      data: { url: expect.any(String) },
    },
  ],
  ENOEMBED: [
    {
      when: 'the field has no value',
      request: preview('/painted', { embed: 'audio.url' }),
      data: { embed: expect.any(String) },
    },
    {
      when: 'there is no such field',
      request: preview('/painted', { embed: 'colour.of.money' }),
      data: { embed: expect.any(String) },
    },
    {
      when: 'there is no screenshot',
      request: preview('/painted', { embed: 'true' }),
      data: { embed: expect.any(String) },
    },
  ],
  ENOTFOUND: [
    { when: 'the path is unknown', request: path('/nowhere') },
    { when: 'the image is unknown', request: path(`/images/${'0'.repeat(64)}.jpg`) },
  ],
  EMETHOD: [
    {
      when: 'a page is requested with POST',
      request: path('/', { method: 'POST' }),
      headers: { allow: 'GET, HEAD, OPTIONS' },
    },
    {
      when: 'an image is requested with DELETE',
      request: path(`/images/${'0'.repeat(64)}.jpg`, { method: 'DELETE' }),
      headers: { allow: /GET/ },
    },
  ],
  EREMOVED: [
    {
      when: 'the owner has taken the page down',
      async request(services, transport) {
        const { site, server } = services.normal
        const takedown = async (parameters: Record<string, string> = {}) => {
          const search = new URLSearchParams({ url: `${site.url}/removed`, ...parameters })
          const response = await transport(`${server.free}/owners/takedown?${search}`, { method: 'POST' })
          return (await response.json()) as { data: { nonce: string; meta: string } }
        }
        const { data } = await takedown()
        site.routes['/removed'] = `<title>Removed</title>${data.meta}`
        await takedown({ nonce: data.nonce })
        return preview('/removed')(services, transport)
      },
      data: { url: 'removed by its owner' },
    },
  ],
  EELEMENT: [
    { when: 'it does not exist', request: preview('/hidden', { element: '#nowhere' }), data: { element: 'missing' } },
    ...slowCases(
      { when: 'it is not displayed', request: preview('/hidden', { element: '#none' }), data: { element: 'hidden' } },
      { when: 'it is invisible', request: preview('/hidden', { element: '#unseen' }), data: { element: 'hidden' } },
      { when: 'it is empty', request: preview('/hidden', { element: '#empty' }), data: { element: 'empty' } },
    ),
  ],
  ETOOLARGE: [
    {
      when: 'an embedded file has too many bytes',
      request: preview('/large', { embed: 'audio.url' }),
      data: { embed: expect.any(String) },
    },
    ...slowCases({
      when: 'the screenshot has too many pixels',
      request: preview('/tall', { fullPage: 'true', 'viewport.width': '10000', 'viewport.deviceScaleFactor': '1' }),
    }),
  ],
  ERATE: [
    {
      when: 'the daily limit is reached',
      request: preview('/painted', {}, { from: 'exhausted' }),
      headers: { 'retry-after': POSITIVE_INTEGER, 'x-rate-limit-remaining': '0', 'x-rate-limit-limit': '0' },
    },
  ],
  EFATAL: [
    {
      when: 'the service could not start',
      request: async () => {
        const service = createService({ dataDir: '/dev/null/nowhere/chromium' })
        return readError(await service.fetch(new Request('http://previews.test/?url=https://a.test/')))
      },
    },
  ],
  EUNREACHABLE: [
    { when: 'the connection is reset', request: preview('/reset') },
    { when: 'the body is incomplete, and no metadata is requested', request: preview('/broken', { meta: 'false' }) },
  ],
  EMAXREDIRECTS: [
    { when: 'redirects do not end', request: preview('/loop') },
    { when: 'redirects do not end, with a screenshot', request: preview('/loop', { screenshot: 'true' }) },
  ],
  EBUSY: [
    {
      when: 'the queue is full',
      request: (services, transport) => overload(services, transport, 'EBUSY'),
      headers: { 'retry-after': POSITIVE_INTEGER },
    },
    {
      when: 'the browser does not start',
      request: preview('/painted', { screenshot: 'true' }, { from: 'exhausted', isPro: true }),
      headers: { 'retry-after': POSITIVE_INTEGER },
    },
    {
      when: 'the service is stopping',
      request: async () => {
        const service = createService()
        await service.close()
        return readError(await service.fetch(new Request('http://previews.test/?url=https://a.test/')))
      },
      headers: { 'retry-after': POSITIVE_INTEGER },
    },
  ],
  ETIMEOUT: [
    { when: 'the page does not respond', request: preview('/never?1', { timeout: '300ms' }) },
    {
      when: 'the page does not respond, with a screenshot',
      request: preview('/never?2', { timeout: '500ms', screenshot: 'true' }),
    },
  ],
  EBRWSRTIMEOUT: [
    {
      when: 'no browser is free before the timeout',
      request: (services, transport) => overload(services, transport, 'EBRWSRTIMEOUT'),
    },
  ],
  EFATALCLIENT: 'only in clients',
  EABORTED: 'only in clients',
  ETIMEOUTCLIENT: 'only in clients',
}

const services = {} as Services
beforeAll(async () => {
  services.normal = await startParameterService()
  services.exhausted = await startParameterService(['--free-daily-limit=0', '--browser=/bin/sh'])
  services.busy = await startParameterService(['--concurrency=1', '--max-queue=1'])
})
afterAll(async () => {
  for (const service of Object.values(services)) await service.close()
})

const casesWithCode = Object.entries(cases).flatMap(([code, list]) =>
  Array.isArray(list) ? list.map((errorCase) => [code as ErrorCode, errorCase.when, errorCase] as const) : [],
)

describe.each([
  ['over a socket', overSocket],
  ...slowCases(['as a function', async (url: string, init?: RequestInit) => services.normal.inProcess(url, init)]),
] as [string, Transport][])('%s', (_, transport) => {
  it.each(casesWithCode)('%s when %s', async (code, __, { request, status = errorCodes[code], data, headers = {} }) => {
    const response = await request(services, transport)
    expect([response.status, response.body]).toEqual([
      status,
      {
        status: status < 500 ? 'fail' : 'error',
        code,
        message: expect.stringMatching(/^.{12,}\.$/),
        more: expect.stringMatching(new RegExp(`^http://.*#${code}$`)),
        data: data ?? expect.any(Object),
      },
    ])
    for (const value of Object.values(response.body.data)) expect(value).toEqual(expect.any(String))
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    for (const [name, value] of Object.entries(headers))
      expect(response.headers.get(name)).toEqual(value instanceof RegExp ? expect.stringMatching(value) : value)
    const requestId = response.headers.get('x-request-id')
    if (code === 'EFATAL') expect(response.body.message).toContain(requestId!)
    expect(response.body.message).not.toMatch(/nowhere.chromium|node_modules/)
  })
})
