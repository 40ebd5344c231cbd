// Covers the request ID, the trace and the log lines of requests that the service handles, cached ones included.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { recordingLog, type LogLine } from '../../shared/recording-log.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`

let site: LocalSite
let service: Service
let lines: LogLine[]
const linesOf = (event: string) => lines.filter((line) => line.event === event)

beforeAll(async () => {
  site = await localSite({ '/': '<title>A page</title>' })
  const recording = recordingLog()
  lines = recording.lines
  service = createService({ allowTargets: [site.host], log: recording.log, accessLog: true })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})
beforeEach(() => void lines.splice(0))

const pageUrl = () => `http://previews.test/?${new URLSearchParams({ url: `${site.url}/` })}`
const request = (url: string, headers: Record<string, string> = {}) => service.fetch(new Request(url, { headers }))
const idOf = async (sent: string) =>
  (await request('http://previews.test/nowhere', { 'x-request-id': sent })).headers.get('x-request-id')

describe('the request ID', () => {
  it('is the one of the request', async () => {
    expect(await idOf('upstream-42:a/b=')).toBe('upstream-42:a/b=')
  })

  it.each([
    ['is empty', ''],
    ['has spaces', 'a b'],
    ['has characters that are not ASCII', 'aéb'],
    ['is too long', 'x'.repeat(129)],
  ])('is replaced if it %s', async (_, sent) => {
    expect(await idOf(sent)).toMatch(/^[\da-f-]{36}$/)
  })

  it('is the one of a request that is responded to from memory', async () => {
    await request(pageUrl())
    await request(pageUrl())
    const cached = service.cachedResponse({
      method: 'GET',
      url: pageUrl(),
      ifNoneMatch: undefined,
      forwardedFor: undefined,
      requestId: 'upstream-43',
      traceparent,
    })
    expect(cached?.headers).toEqual(expect.arrayContaining(['x-request-id', 'upstream-43']))
    expect(linesOf('request').at(-1)).toMatchObject({
      cache: 'HIT',
      status: 200,
      requestId: 'upstream-43',
      traceId: TRACE,
      targetHost: site.host,
    })
  })
})

describe('the line of a failed request', () => {
  it('is written once, with the trace of the request', async () => {
    const headers = { 'x-request-id': 'upstream-44', traceparent }
    const response = await request(`http://previews.test/?url=${site.url}/%3Ftoken=hush&ttl=nonsense`, headers)
    expect(linesOf('request-failed')).toEqual([
      expect.objectContaining({
        code: 'EINVALTTL',
        status: response.status,
        targetHost: site.host,
        requestId: 'upstream-44',
        traceId: TRACE,
      }),
    ])
    expect(linesOf('request')).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('hush')
  })

  it('is written for paths that do not exist', async () => {
    await request('http://previews.test/nowhere')
    expect(linesOf('request-failed')).toMatchObject([{ code: 'ENOTFOUND', status: 404 }])
  })

  it('has the same client whether the service is running or closed', async () => {
    const { log, lines } = recordingLog()
    const behindProxy = createService({ log, trustProxy: 1 })
    await behindProxy.ready()
    const fetchFrom = (address: string) =>
      behindProxy.fetch(new Request('http://previews.test/nowhere', { headers: { 'x-forwarded-for': address } }), {
        peerAddress: '192.0.2.1',
      })
    await fetchFrom('2001:db8::1')
    await behindProxy.close()
    await fetchFrom('2001:db8::2')
    await fetchFrom('203.0.113.7')
    const [running, closed, other] = lines.filter(({ event }) => event === 'request-failed')
    expect([running!.code, closed!.code, other!.code]).toEqual(['ENOTFOUND', 'EBUSY', 'EBUSY'])
    expect(closed!.client).toBe(running!.client)
    expect(other!.client).not.toBe(running!.client)
  })

  it('says that the client left, and does not blame the service', async () => {
    const left = AbortSignal.abort()
    await service.fetch(new Request(`${pageUrl()}&force`, { signal: left }))
    expect(linesOf('request-failed')).toMatchObject([{ code: 'EABORTED', level: 'info' }])
  })

  it.each(['nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `${traceparent}${'-a'.repeat(500)}`])(
    'has no trace for the invalid traceparent %s',
    async (invalid) => {
      await request('http://previews.test/nowhere', { traceparent: invalid })
      expect(linesOf('request-failed')[0]).not.toHaveProperty('traceId')
    },
  )
})

it('writes nothing for requests that succeed, by default', async () => {
  const quiet = recordingLog()
  const silent = createService({ allowTargets: [site.host], log: quiet.log })
  expect((await silent.fetch(new Request(pageUrl()))).status).toBe(200)
  await silent.close()
  expect(quiet.lines.filter(({ message }) => String(message).startsWith('request'))).toEqual([])
})
