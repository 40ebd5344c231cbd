// Covers which requests of the pro host are authorised: keys, signatures and their expiry.
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, openKeys, type Keys, type Service, type ServiceOptions } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { startSecondProcess } from '../store/local/start-second-process.js'

const WRONG_KEY = 'pp_0123456789ab_hush-hush-hush-hush'
const LIMIT_HEADERS = [
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'ratelimit',
  'ratelimit-policy',
]

let dataDir: string
let site: LocalSite
let service: Service
let keys: Keys
let key: string
let id: string
let isClockBroken = false
const logLines: string[] = []
const received: IncomingHttpHeaders[] = []

const write =
  (level: string) =>
  (...values: unknown[]) =>
    void logLines.push(`${level} ${JSON.stringify(values)}`)

function clock() {
  if (isClockBroken) throw new Error('The clock is broken')
  return Date.now()
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-plans-'))
  site = await localSite({
    '/': (request, response) => {
      received.push(request.headers)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>')
    },
  })
  service = createService({
    dataDir,
    clock,
    allowTargets: [site.host],
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  })
  await service.ready()
  keys = await openKeys({ dataDir })
  ;({ key, id } = await keys.create('Members'))
})
afterAll(async () => {
  await keys.close()
  await service.close()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

type RequestOptions = { plan?: 'free' | 'pro'; headers?: Record<string, string>; path?: string }

function requestPage(
  parameters: Record<string, string> = {},
  { plan = 'free', headers = {}, path = '/' }: RequestOptions = {},
) {
  const query = new URLSearchParams({ url: `${site.url}/`, ...parameters })
  return service.fetch(new Request(`http://${plan}.test${path}?${query}`, { headers }), { plan })
}

describe('the pro host', () => {
  it.each([
    ['the header x-api-key', () => requestPage({}, { plan: 'pro', headers: { 'x-api-key': key } })],
    ['headers.apiKey', () => requestPage({ 'headers.apiKey': key }, { plan: 'pro' })],
    ['headers.api_key', () => requestPage({ 'headers.api_key': key }, { plan: 'pro' })],
    [
      'an empty header beside the query',
      () => requestPage({ 'headers.apiKey': key }, { plan: 'pro', headers: { 'x-api-key': '' } }),
    ],
  ])('accepts a key as %s, and has no daily limit', async (_, send) => {
    const { status, headers } = await send()
    expect([status, headers.get('x-pricing-plan')]).toEqual([200, 'pro'])
    for (const name of LIMIT_HEADERS) expect(headers.has(name), name).toBe(false)
  })

  it('serves requests when the daily limit of the free host is reached', async () => {
    const exhausted = createService({ dataDir, allowTargets: [site.host], freeDailyLimit: 0 })
    const status = async (plan: 'free' | 'pro') => {
      const request = new Request(`http://previews.test/?url=${site.url}/&force`, { headers: { 'x-api-key': key } })
      return (await exhausted.fetch(request, { plan, peerAddress: '203.0.113.7' })).status
    }
    expect([await status('free'), await status('pro')]).toEqual([429, 200])
    await exhausted.close()
  })

  it.each([
    ['without a key', {}, 401, 'missing'],
    ['with an unknown key', { 'x-api-key': WRONG_KEY }, 403, 'unknown'],
    ['with a malformed key', { 'x-api-key': 'hush' }, 403, 'unknown'],
  ])('rejects a request %s', async (_, headers: Record<string, string>, status, reason) => {
    const response = await requestPage({}, { plan: 'pro', headers })
    expect([response.status, response.headers.has('www-authenticate')]).toEqual([status, status === 401])
    expect(await response.json()).toMatchObject({ status: 'fail', code: 'EAUTH', data: { apiKey: reason } })
    for (const name of LIMIT_HEADERS) expect(response.headers.has(name), name).toBe(false)
  })

  it('rejects an id with the secret of another key', async () => {
    const secret = key.split('_').slice(2).join('_')
    const other = await keys.create('Other')
    const status = async (apiKey: string) =>
      (await requestPage({}, { plan: 'pro', headers: { 'x-api-key': apiKey } })).status
    expect(await status(`pp_${other.id}_${secret}`)).toBe(403)
    expect(await status(`pp_${id}_${other.key.split('_').slice(2).join('_')}`)).toBe(403)
    expect(await status(other.key)).toBe(200)
  })

  it('rejects a key as soon as another process has revoked it', async () => {
    const { key: temporaryKey, id: temporaryId } = await keys.create('Temporary')
    const requestWithKey = () => requestPage({}, { plan: 'pro', headers: { 'x-api-key': temporaryKey } })
    expect((await requestWithKey()).status).toBe(200)
    const other = await startSecondProcess(dataDir, 5e9)
    const record = (await other.call('readKey', temporaryId)) as Record<string, unknown>
    await other.call('writeKey', { ...record, revokedAt: Date.now() })
    expect((await requestWithKey()).status).toBe(403)
  })

  it('never serves a response that needs a key from the in-memory response cache', async () => {
    const rawRequest = { method: 'GET', ifNoneMatch: undefined, forwardedFor: undefined, peerAddress: '127.0.0.1' }
    const cachedResponse = (url: string, plan: 'free' | 'pro') => service.cachedResponse({ ...rawRequest, url, plan })
    const url = (host: string) =>
      `http://${host}/?${new URLSearchParams({ url: `${site.url}/`, 'headers.apiKey': key })}`
    expect((await service.fetch(new Request(url('pro.test')), { plan: 'pro' })).status).toBe(200)
    expect(cachedResponse(url('pro.test'), 'pro')).toBeUndefined()
    expect(cachedResponse(url('pro.test'), 'free')).toBeUndefined()
    await service.fetch(new Request(url('free.test')), { plan: 'free' })
    expect(cachedResponse(url('free.test'), 'free')).toMatchObject({ status: 200 })
    expect(cachedResponse(url('free.test'), 'pro')).toBeUndefined()
  })
})

describe('the free host', () => {
  it.each([
    ['in the header', {}, { 'x-api-key': WRONG_KEY }],
    ['in the query', { 'headers.apiKey': WRONG_KEY }, {}],
    ['that is a signature', { keyId: 'nobody', expires: '1', signature: 'none' }, {}],
  ])('ignores a key %s: the response is the same', async (_, parameters, headers) => {
    await requestPage({ filter: 'title' })
    const response = await requestPage({ filter: 'title', ...parameters }, { headers })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-cache-status': 'HIT', 'x-pricing-plan': 'free' })
    for (const name of LIMIT_HEADERS) expect(response.headers.has(name), name).toBe(true)
    expect(await response.json()).toMatchObject({ data: { title: 'A page' } })
  })

  it('counts requests with a key like those without', async () => {
    const before = await requestPage({ force: 'true' })
    const after = await requestPage({ force: 'true' }, { headers: { 'x-api-key': key } })
    const [remainingBefore, remainingAfter] = [before, after].map(({ headers }) =>
      Number(headers.get('x-rate-limit-remaining')),
    )
    expect(remainingAfter).toBe(remainingBefore! - 1)
  })
})

/** Status and plan of the response of each host to a request without a key. */
async function plansOf(hosts: string[], options: ServiceOptions): Promise<string[]> {
  const service = createService({ allowTargets: [site.host], ...options })
  const responses = await Promise.all(
    hosts.map((host) => service.fetch(new Request(`http://${host}/?url=${site.url}/`))),
  )
  await service.close()
  return responses.map(({ status, headers }) => `${status} ${headers.get('x-pricing-plan')}`)
}

describe('both hosts on one port', () => {
  it('are distinguished by the Host header, in any case and with any port', async () => {
    const hosts = ['pro.example', 'PRO.example:3000', 'free.example', 'pro.example.free.example']
    expect(await plansOf(hosts, { proHost: 'Pro.Example' })).toEqual(['401 pro', '401 pro', '200 free', '200 free'])
  })

  it('are distinguished by the port of proHost, if it has one', async () => {
    const hosts = ['pro.example:8080', 'pro.example']
    expect(await plansOf(hosts, { proHost: 'pro.example:8080' })).toEqual(['401 pro', '200 free'])
  })

  it('are distinguished by the public URL, even if a reverse proxy terminates TLS', async () => {
    const hosts = ['pro.example', 'free.example']
    expect(await plansOf(hosts, { proPublicUrl: 'https://pro.example' })).toEqual(['401 pro', '200 free'])
  })
})

it('leaks no key into the log, a response, or a request to the target', async () => {
  const { key: revoked, id: revokedId } = await keys.create('Revoked')
  await keys.revoke(revokedId)
  received.length = 0
  const responses: string[] = []
  const record = async (response: Response) =>
    responses.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)

  for (const plan of ['free', 'pro'] as const)
    for (const apiKey of [key, revoked, WRONG_KEY]) {
      const headers = { 'x-api-key': apiKey }
      await record(await requestPage({ force: 'true' }, { plan, headers }))
      await record(await requestPage({ 'headers.apiKey': apiKey, force: 'true', screenshot: 'true' }, { plan }))
      await record(await requestPage({ 'headers.apiKey': apiKey, 'headers.api-key': `${apiKey}x` }, { plan }))
      await record(await requestPage({ 'headers.apiKey': apiKey, embed: 'html' }, { plan }))
      await record(await requestPage({ 'headers.apiKey': apiKey, ttl: '1s' }, { plan }))
      await record(await requestPage({ apiKey, 'x-api-key': apiKey }, { plan, headers }))
      await record(await requestPage({ 'headers.apiKey': apiKey }, { plan, headers, path: '/nothing' }))
      isClockBroken = true
      await record(await requestPage({ 'headers.apiKey': apiKey }, { plan, headers }))
      isClockBroken = false
    }

  expect(responses.filter((text) => text.startsWith('500')).length).toBeGreaterThanOrEqual(6)
  expect(logLines.filter((line) => line.startsWith('error')).length).toBeGreaterThanOrEqual(6)
  expect(received.length).toBeGreaterThanOrEqual(6)
  // A secret may contain underscores itself.
  for (const secret of [key, revoked, WRONG_KEY].map((apiKey) => apiKey.split('_').slice(2).join('_')))
    for (const text of [...logLines, ...responses, JSON.stringify(received)]) expect(text).not.toContain(secret)
  for (const headers of received) expect(Object.keys(headers).join()).not.toMatch(/api-?key/i)
})
