// Covers signed requests from `signedUrl` of the client to the response of the service; `isSignedBy` is one part of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import type { PageResponse, PageQuery } from '../../../src/query/index.js'
import { createService, openKeys, type Keys, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

const endpoint = { pro: 'https://pro.test' }
const START = Date.parse('2026-01-31T12:00:00Z')
const END = START / 1_000 + 90

let now = START
let dataDir: string
let site: LocalSite
let keys: Keys
let service: Service
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-signed-'))
  site = await localSite({
    '/': '<title>Signed</title><body style="background:#c00">',
    '/photo': '<title>Photo</title>',
  })
  service = createService({ dataDir, allowTargets: [site.host], clock: () => now })
  await service.ready()
  keys = await openKeys({ dataDir })
  ;({ key } = await keys.create('Public pages'))
})
afterAll(async () => {
  await keys.close()
  await service.close()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

const query = (parameters: Partial<PageQuery> = {}): PageQuery => ({ url: `${site.url}/`, ...parameters })
const sign = (parameters: Partial<PageQuery> = {}, expires = END) =>
  signedUrl(query(parameters), { endpoint, apiKey: key, expires })
const get = (url: string, plan: 'free' | 'pro' = 'pro') => service.fetch(new Request(url), { plan })
const errorOf = async (url: string) => {
  const response = await get(url)
  const { code, data } = (await response.json()) as { code: string; data: Record<string, string> }
  return [response.status, code, data]
}
const withParameters = (url: string, parameters: Record<string, string | undefined>) => {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters))
    if (value === undefined) changed.searchParams.delete(name)
    else changed.searchParams.set(name, value)
  return String(changed)
}

describe('a signed request', () => {
  it('needs no key, and shares cache entries with the free host', async () => {
    await get(`https://free.test/?url=${site.url}/`, 'free')
    const response = await get(await sign())
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-cache-status': 'HIT', 'x-pricing-plan': 'pro' })
    expect(((await response.json()) as PageResponse).data.title).toBe('Signed')
  })

  it('returns a screenshot for public HTML', async () => {
    const response = await get(await sign({ screenshot: true, embed: 'screenshot.url' }))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  it.each([
    [
      'in another order and spelling',
      (url: string) => url.replace(/\?(.*)&(keyId=\w+)/, '?$2&$1').replace('keyId', 'key-id'),
    ],
    ['with defaults written out', (url: string) => `${url}&adblock=true&ttl=24h`],
  ])('is valid %s', async (_, rewrite) => {
    expect((await get(rewrite(await sign({ embed: 'title' })))).status).toBe(200)
  })

  it('is valid up to its last second, and not after it', async () => {
    const url = await sign()
    now = END * 1_000
    expect((await get(url)).status).toBe(200)
    now += 1
    expect(await errorOf(url)).toEqual([403, 'EAUTH', { expires: 'passed' }])
    now = START
  })

  it('is invalid with any single character changed', async () => {
    const url = await sign({ embed: 'title', headers: { 'user-agent': 'me/1.0' } })
    const from = url.indexOf('?') + 1
    for (let at = from; at < url.length; at++) {
      // `z` and `y` differ only in a bit that base64url ignores in the last character of the signature.
      const other = url[at] === 'z' ? 'y' : String.fromCodePoint(url.codePointAt(at)! ^ 1)
      const response = await get(url.slice(0, at) + other + url.slice(at + 1))
      expect([400, 401, 403], `${url.slice(from, at)}[${other}]${url.slice(at + 1)}`).toContain(response.status)
    }
  })

  it.each([
    ['another page', { url: 'https://other.example/' }, { signature: 'wrong' }],
    ['another parameter', { screenshot: 'true' }, { signature: 'wrong' }],
    ['a later expiry', { expires: String(END + 1) }, { signature: 'wrong' }],
    ['a malformed signature', { signature: 'x' }, { signature: 'wrong' }],
    ['a padded signature', { signature: '=' }, { signature: 'wrong' }],
    ['no expiry', { expires: undefined }, { expires: 'missing' }],
    ['no key id', { keyId: undefined }, { keyId: 'missing' }],
    ['an unknown key', { keyId: 'abcdef' }, { keyId: 'unknown' }],
  ])('with %s is refused', async (_, parameters: Record<string, string | undefined>, data) => {
    const url = await sign()
    const padded = { signature: `${new URL(url).searchParams.get('signature')}=` }
    expect(await errorOf(withParameters(url, parameters.signature === '=' ? padded : parameters))).toEqual([
      403,
      'EAUTH',
      data,
    ])
  })

  it('that was signed with another key is refused', async () => {
    const other = await keys.create('Another owner')
    const url = await sign()
    expect(await errorOf(withParameters(url, { keyId: other.id }))).toEqual([403, 'EAUTH', { signature: 'wrong' }])
  })

  it('without its signature is a request without a key', async () => {
    expect(await errorOf(withParameters(await sign(), { signature: undefined }))).toEqual([
      401,
      'EAUTH',
      { apiKey: 'missing' },
    ])
  })

  it('is refused once its key is revoked', async () => {
    const short = await keys.create('Short')
    const url = await signedUrl(query(), { endpoint, apiKey: short.key, expires: END })
    expect((await get(url)).status).toBe(200)
    await keys.revoke(short.id)
    expect(await errorOf(url)).toEqual([403, 'EAUTH', { keyId: 'unknown' }])
  })
})

async function cacheControl(url: string, init?: RequestInit) {
  return (await service.fetch(new Request(url, init), { plan: 'pro' })).headers.get('cache-control')
}

describe('the cache-control header', () => {
  it.each([
    [90, {}, 'public, max-age=90'],
    [90, { staleTtl: '1m', ttl: '1h' }, 'public, max-age=60, stale-while-revalidate=30, stale-if-error=30'],
    [90, { staleTtl: '1h', ttl: '2h' }, 'public, max-age=90'],
    [86_400 * 40, {}, 'public, max-age=86400'],
    [90, { headers: { cookie: 'a=b' } }, 'private, max-age=90'],
  ] as [number, Partial<PageQuery>, string][])(
    'of a request signed for %i s with %j is: %s',
    async (ttlS, parameters, expected) => {
      expect(await cacheControl(await sign(parameters, START / 1_000 + ttlS))).toBe(expected)
    },
  )

  it('ends with the signature, however old the cache entry is', async () => {
    const url = await sign({ ttl: '1h' }, START / 1_000 + 2_000)
    await get(url)
    now = START + 1_900_500
    const { headers } = await get(url)
    expect([headers.get('age'), headers.get('cache-control')]).toEqual([expect.any(String), 'public, max-age=99'])
    now = START
  })

  it('is private for a request with a key', async () => {
    const url = `https://pro.test/?url=${site.url}/`
    expect(await cacheControl(url, { headers: { 'x-api-key': key } })).toBe('private, max-age=86400')
    expect(await cacheControl(`${url}&headers.apiKey=${key}`)).toBe('private, max-age=86400')
  })
})

const oembed = (preview: string, plan = 'pro') => `https://${plan}.test/oembed?url=${encodeURIComponent(preview)}`

describe('/oembed of the pro host', () => {
  it('requires a key, as the previews do', async () => {
    expect(await errorOf(oembed(`${site.url}/photo`))).toEqual([401, 'EAUTH', { apiKey: 'missing' }])
  })

  it('describes a signed preview by an image URL that needs neither key nor signature', async () => {
    const response = await get(oembed(await sign({ screenshot: true, embed: 'screenshot.url' })))
    const { url } = (await response.json()) as { url: string }
    expect(url).toMatch(/^https:\/\/pro\.test\/images\/[a-f\d]{64}\.jpg$/)
    expect((await get(url)).status).toBe(200)
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=90\b/)
  })

  it('refuses a screenshot for a signed preview that has none', async () => {
    for (const parameters of [{}, { screenshot: false }, { embed: 'title' }]) {
      const signed = await sign({ url: `${site.url}/photo`, ...parameters })
      expect(await errorOf(oembed(signed))).toEqual([403, 'EAUTH', { signature: 'covers no screenshot' }])
    }
  })

  it('returns a screenshot for a preview without one to the holder of a key, and on the free host', async () => {
    const signed = await sign({ url: `${site.url}/photo` })
    const withKey = new Request(oembed(signed), { headers: { 'x-api-key': key } })
    expect((await service.fetch(withKey, { plan: 'pro' })).status).toBe(200)
    const onFreeHost = oembed(signed.replace('pro.test', 'free.test'), 'free')
    expect((await get(onFreeHost, 'free')).status).toBe(200)
  })

  it('never puts a key into the URL of an image', async () => {
    for (const plan of ['free', 'pro'] as const) {
      const own = `https://${plan}.test/?url=${site.url}/&screenshot&headers.apiKey=${key}`
      const response = await get(oembed(own, plan), plan)
      expect(response.status).toBe(200)
      expect(await response.text()).not.toContain(key)
    }
  })
})

describe('an HTML card of the pro host', () => {
  it('links to its signed oEmbed response when the request was signed', async () => {
    const card = await get(await sign({ embed: 'html', element: 'body' }))
    const [, discovery] = /<([^>]+)>; rel="alternate"/.exec(card.headers.get('link')!)!
    expect(await card.text()).toContain('application/json+oembed')
    const oembedResponse = await get(discovery!)
    expect([oembedResponse.status, await oembedResponse.json()]).toMatchObject([200, { type: 'photo' }])
  })

  it('has no oEmbed link when the signed preview has no screenshot', async () => {
    const card = await get(await sign({ embed: 'html' }))
    expect([card.status, card.headers.get('link')]).toEqual([200, null])
  })

  it('has no oEmbed link when the request had a key, because requests without the key are refused', async () => {
    const parameters = new URLSearchParams({ url: `${site.url}/`, embed: 'html', element: 'body' })
    const card = await service.fetch(new Request(`${endpoint.pro}/?${parameters}`, { headers: { 'x-api-key': key } }), {
      plan: 'pro',
    })
    expect([card.status, card.headers.get('link')]).toEqual([200, null])
    expect(await card.text()).not.toContain('oembed')
  })
})
