import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, openKeys, type Keys, type Service, type ServiceOptions } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startSecondProcess } from './store/local/start-second-process.js'

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
const log: string[] = []
const received: IncomingHttpHeaders[] = []

const write =
  (level: string) =>
  (...facts: unknown[]) =>
    void log.push(`${level} ${JSON.stringify(facts)}`)

function clock() {
  if (isClockBroken) throw new Error('The clock stands still')
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

type Asking = { plan?: 'free' | 'pro'; headers?: Record<string, string>; path?: string }

function ask(words: Record<string, string> = {}, { plan = 'free', headers = {}, path = '/' }: Asking = {}) {
  const query = new URLSearchParams({ url: `${site.url}/`, ...words })
  return service.fetch(new Request(`http://${plan}.test${path}?${query}`, { headers }), { plan })
}

describe('the pro host', () => {
  it.each([
    ['the header x-api-key', () => ask({}, { plan: 'pro', headers: { 'x-api-key': key } })],
    ['headers.apiKey', () => ask({ 'headers.apiKey': key }, { plan: 'pro' })],
    ['headers.api_key', () => ask({ 'headers.api_key': key }, { plan: 'pro' })],
    [
      'an empty header beside the query',
      () => ask({ 'headers.apiKey': key }, { plan: 'pro', headers: { 'x-api-key': '' } }),
    ],
  ])('takes a key as %s, and has no daily limit', async (_, asking) => {
    const { status, headers } = await asking()
    expect([status, headers.get('x-pricing-plan')]).toEqual([200, 'pro'])
    for (const name of LIMIT_HEADERS) expect(headers.has(name), name).toBe(false)
  })

  it('goes on where the free host has nothing left to give', async () => {
    const spent = createService({ dataDir, allowTargets: [site.host], freeDailyLimit: 0 })
    const status = async (plan: 'free' | 'pro') => {
      const request = new Request(`http://previews.test/?url=${site.url}/&force`, { headers: { 'x-api-key': key } })
      return (await spent.fetch(request, { plan, clientAddress: '203.0.113.7' })).status
    }
    expect([await status('free'), await status('pro')]).toEqual([429, 200])
    await spent.close()
  })

  it.each([
    ['without a key', {}, 401, 'missing'],
    ['with one that nobody has', { 'x-api-key': WRONG_KEY }, 403, 'unknown'],
    ['with one that is none', { 'x-api-key': 'hush' }, 403, 'unknown'],
  ])('refuses a request %s', async (_, headers: Record<string, string>, status, reason) => {
    const response = await ask({}, { plan: 'pro', headers })
    expect([response.status, response.headers.has('www-authenticate')]).toEqual([status, status === 401])
    expect(await response.json()).toMatchObject({ status: 'fail', code: 'EAUTH', data: { apiKey: reason } })
    for (const name of LIMIT_HEADERS) expect(response.headers.has(name), name).toBe(false)
  })

  it('refuses the right id with another secret, and the right secret with another id', async () => {
    const secret = key.split('_').slice(2).join('_')
    const other = await keys.create('Other')
    const status = async (given: string) => (await ask({}, { plan: 'pro', headers: { 'x-api-key': given } })).status
    expect(await status(`pp_${other.id}_${secret}`)).toBe(403)
    expect(await status(`pp_${id}_${other.key.split('_').slice(2).join('_')}`)).toBe(403)
    expect(await status(other.key)).toBe(200)
  })

  it('refuses a key from the moment on that another process revokes it', async () => {
    const { key: short, id: shortId } = await keys.create('Short')
    const asShort = () => ask({}, { plan: 'pro', headers: { 'x-api-key': short } })
    expect((await asShort()).status).toBe(200)
    const other = await startSecondProcess(dataDir, 5e9)
    const kept = (await other.call('readKey', shortId)) as Record<string, unknown>
    await other.call('writeKey', { ...kept, revokedAt: Date.now() })
    expect((await asShort()).status).toBe(403)
  })

  it('never sends again, from what is ready in memory, what a key is needed for', async () => {
    const address = { method: 'GET', ifNoneMatch: undefined, forwardedFor: undefined, clientAddress: '127.0.0.1' }
    const again = (url: string, plan: 'free' | 'pro') => service.cachedResponse({ ...address, url, plan })
    const url = (host: string) =>
      `http://${host}/?${new URLSearchParams({ url: `${site.url}/`, 'headers.apiKey': key })}`
    expect((await service.fetch(new Request(url('pro.test')), { plan: 'pro' })).status).toBe(200)
    expect(again(url('pro.test'), 'pro')).toBeUndefined()
    expect(again(url('pro.test'), 'free')).toBeUndefined()
    await service.fetch(new Request(url('free.test')), { plan: 'free' })
    expect(again(url('free.test'), 'free')).toMatchObject({ status: 200 })
    expect(again(url('free.test'), 'pro')).toBeUndefined()
  })
})

describe('the free host', () => {
  it.each([
    ['in the header', {}, { 'x-api-key': WRONG_KEY }],
    ['in the query', { 'headers.apiKey': WRONG_KEY }, {}],
    ['that is a signature', { keyId: 'nobody', expires: '1', signature: 'none' }, {}],
  ])('does not mind a key %s: it is the same free answer', async (_, words, headers) => {
    await ask({ filter: 'title' })
    const response = await ask({ filter: 'title', ...words }, { headers })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-cache-status': 'HIT', 'x-pricing-plan': 'free' })
    for (const name of LIMIT_HEADERS) expect(response.headers.has(name), name).toBe(true)
    expect(await response.json()).toMatchObject({ data: { title: 'A page' } })
  })

  it('counts whoever has a key as everybody', async () => {
    const before = await ask({ force: 'true' })
    const after = await ask({ force: 'true' }, { headers: { 'x-api-key': key } })
    const [more, less] = [before, after].map(({ headers }) => Number(headers.get('x-rate-limit-remaining')))
    expect(less).toBe(more! - 1)
  })
})

/** Status and plan of each host, asked without a key. */
async function plansOf(hosts: string[], options: ServiceOptions): Promise<string[]> {
  const one = createService({ allowTargets: [site.host], ...options })
  const answers = await Promise.all(hosts.map((host) => one.fetch(new Request(`http://${host}/?url=${site.url}/`))))
  await one.close()
  return answers.map(({ status, headers }) => `${status} ${headers.get('x-pricing-plan')}`)
}

describe('both hosts on one port', () => {
  it('are told apart by the name that is asked for, in any case and at any port', async () => {
    const hosts = ['pro.example', 'PRO.example:3000', 'free.example', 'pro.example.free.example']
    expect(await plansOf(hosts, { proHost: 'Pro.Example' })).toEqual(['401 pro', '401 pro', '200 free', '200 free'])
  })

  it('are told apart by the port in the name, where one is given', async () => {
    const hosts = ['pro.example:8080', 'pro.example']
    expect(await plansOf(hosts, { proHost: 'pro.example:8080' })).toEqual(['401 pro', '200 free'])
  })

  it('are told apart by the public address, also where TLS ends before the service', async () => {
    const hosts = ['pro.example', 'free.example']
    expect(await plansOf(hosts, { proPublicUrl: 'https://pro.example' })).toEqual(['401 pro', '200 free'])
  })
})

it('lets no key get into a log, an answer, or a request to the target', async () => {
  const { key: revoked, id: revokedId } = await keys.create('Revoked')
  await keys.revoke(revokedId)
  received.length = 0
  const told: string[] = []
  const hear = async (response: Response) =>
    told.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)

  for (const plan of ['free', 'pro'] as const)
    for (const given of [key, revoked, WRONG_KEY]) {
      const headers = { 'x-api-key': given }
      await hear(await ask({ force: 'true' }, { plan, headers }))
      await hear(await ask({ 'headers.apiKey': given, force: 'true', screenshot: 'true' }, { plan }))
      await hear(await ask({ 'headers.apiKey': given, 'headers.api-key': `${given}x` }, { plan }))
      await hear(await ask({ 'headers.apiKey': given, embed: 'html' }, { plan }))
      await hear(await ask({ 'headers.apiKey': given, ttl: '1s' }, { plan }))
      await hear(await ask({ apiKey: given, 'x-api-key': given }, { plan, headers }))
      await hear(await ask({ 'headers.apiKey': given }, { plan, headers, path: '/nothing' }))
      isClockBroken = true
      await hear(await ask({ 'headers.apiKey': given }, { plan, headers }))
      isClockBroken = false
    }

  expect(told.filter((text) => text.startsWith('500')).length).toBeGreaterThanOrEqual(6)
  expect(log.filter((line) => line.startsWith('error')).length).toBeGreaterThanOrEqual(6)
  expect(received.length).toBeGreaterThanOrEqual(6)
  // A secret may have underscores of its own.
  for (const secret of [key, revoked, WRONG_KEY].map((given) => given.split('_').slice(2).join('_')))
    for (const text of [...log, ...told, JSON.stringify(received)]) expect(text).not.toContain(secret)
  for (const headers of received) expect(Object.keys(headers).join()).not.toMatch(/api-?key/i)
})
