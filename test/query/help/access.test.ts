// Covers refuseApiKeys in the service, the proxy and signed URLs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { createProxy } from '../../../src/proxy/index.js'
import { isPageError, PageError, parseQuery } from '../../../src/query/index.js'
import { parseHostList, parseSearch } from '../../../src/query/help/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

const SECRET = 'aB3-_cD5eF7gH9iJ1kL3mN5oP7qR9sT1uV3wX5yZ7-_'
const KEY = `pp_0123456789ab_${SECRET}`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const url = 'https://example.com/'

const cases: [name: string, value: string, code: string][] = [
  ['headers.x-api-key', KEY, 'EHEADERS'],
  ['headers.X_API_Key', KEY, 'EHEADERS'],
  ['headers.authorization', `Bearer ${KEY}`, 'EHEADERS'],
  ['headers.authorization', `Basic ${base64(`${KEY}:`)}`, 'EHEADERS'],
  ['headers.authorization', `Basic ${base64(`me:${KEY}`)}`, 'EHEADERS'],
  ['headers.authorization', `Basic ${base64(`user:${KEY}`)}`, 'EHEADERS'],
  ['headers.cookie', `a=b; key=${KEY}; c=d`, 'EHEADERS'],
  ['headers.referer', `https://example.com/?key=${KEY.replaceAll('_', '%5F')}`, 'EHEADERS'],
  ['headers.x-other', KEY.toUpperCase(), 'EHEADERS'],
  ['url', `${url}?key=${KEY}`, 'EINVALQUERY'],
  ['url', `${url}?key=${KEY.replace('pp', '%70%70')}`, 'EINVALQUERY'],
  ['url', `https://${KEY}@example.com/`, 'EINVALQUERY'],
  ['url', `https://example.com/#${KEY}`, 'EINVALQUERY'],
  ['styles', `https://example.com/${KEY}.css`, 'EINVALQUERY'],
  ['overlay.background', `https://example.com/${KEY}.png`, 'EINVALQUERY'],
  ['keyId', KEY, 'EINVALQUERY'],
]

let site: LocalSite
let service: Service

beforeAll(async () => {
  site = await localSite({ '/': '<title>A page</title>' })
  service = createService({ allowTargets: [site.host] })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const failureOf = (parse: () => unknown): PageError => {
  try {
    parse()
  } catch (error) {
    if (isPageError(error)) return error
    throw error
  }
  throw new Error('accepted')
}

describe('a key of the service', () => {
  it.each(cases)('in %s=%s is refused with %s, which does not contain it', (name, value, code) => {
    const error = failureOf(() => parseSearch(new URLSearchParams({ url, [name]: value })))
    expect(error.code).toBe(code)
    expect(error.message).toMatch(/contains an API key of the service.*x-api-key/)
    const written = JSON.stringify([error.message, error.data, error.cause])
    expect(written.toLowerCase()).not.toContain(SECRET.slice(0, 12).toLowerCase())
  })

  it.each(cases)(
    'in %s=%s never reaches the page: neither host of the service requests it',
    async (name, value, code) => {
      const page = `${site.url}/`
      const query = new URLSearchParams({ url: page, [name]: value.replace(url, page) })
      for (const plan of ['free', 'pro'] as const) {
        const response = await service.fetch(new Request(`http://previews.test/?${query}`), { plan })
        expect([response.status, await response.json()]).toMatchObject([400, { status: 'fail', code }])
      }
      expect(site.requests).toEqual([])
    },
  )

  it.each(cases)('in %s=%s leaves no proxy, and is in no signed URL', async (name, value, code) => {
    const fetch = () => Promise.reject(new Error('unexpected request'))
    const allow = { targets: ['*'], parameters: ['headers'] } as const
    const proxy = createProxy({ endpoint: 'https://service.test', apiKey: KEY, allow, fetch })
    const query = new URLSearchParams({ url, [name]: value })
    const response = await proxy(new Request(`https://app.test/page-preview?${query}`))
    expect(await response.json()).toMatchObject({ status: 'fail', code })
    // What signing replaces is not part of the URL, and what cannot be parsed is in none.
    if (name === 'keyId') return
    const sign = async () =>
      signedUrl(parseQuery({ url, [name]: value }), { endpoint: 'https://service.test', apiKey: KEY })
    await expect(sign()).rejects.toThrow(PageError)
  })

  it('in the address of an oEmbed request is refused', async () => {
    const preview = `http://previews.test/?${new URLSearchParams({ url: `${site.url}/`, 'headers.x-api-key': KEY })}`
    for (const address of [preview, `${site.url}/?key=${KEY}`]) {
      const query = new URLSearchParams({ url: address })
      const response = await service.fetch(new Request(`http://previews.test/oembed?${query}`))
      expect(response.status).toBe(400)
    }
    expect(site.requests).toEqual([])
  })

  it('is accepted as headers.apiKey', () => {
    for (const name of ['headers.apiKey', 'headers.api_key'])
      expect(parseSearch(new URLSearchParams({ url, [name]: KEY })).parsed.apiKey).toBe(KEY)
  })

  it.each([
    ['headers.x-api-key', 'pp_live_51H8x'],
    ['headers.x-api-key', 'sk_0123456789ab_aB3-_cD5eF7gH9iJ1kL3mN5oP7qR9sT1uV3wX5yZ7-_'],
    ['headers.authorization', `Basic ${base64('me:a password that is quite long, as a phrase of many words is')}`],
    ['headers.cookie', `app_0123456789ab=${SECRET}; b=100%`],
    ['url', 'https://example.com/pp_0123456789ab_short?%zz=%'],
    ['styles', 'a'.repeat(81)],
    ['keyId', '0123456789ab'],
    ['signature', SECRET],
  ])('is not what %s=%s looks like', (name, value) => {
    expect(() => parseSearch(new URLSearchParams({ url, [name]: value }))).not.toThrow()
  })
})

describe('a list of hosts', () => {
  it.each([
    'user@example.com',
    'user:secret@example.com',
    '@example.com',
    'example.com?x',
    'example.com?',
    'example.com#x',
    'example.com#',
    'example.com\\\\',
    'example.com/',
    'example.com/path',
    '*.example.com?x',
    '*.user@example.com',
    'https://example.com',
    '',
  ])('refuses %j, of which a part would be ignored', (host) => {
    expect(() => parseHostList([host])).toThrow(/which is not a host/)
  })

  it.each([
    ['example.com', 'https://example.com/?x#y', true],
    ['Example.COM', 'http://example.com/', true],
    ['example.com:80', 'http://example.com/', true],
    ['example.com:80', 'https://example.com/', true],
    ['example.com:443', 'http://example.com:80/', true],
    ['*.example.com:80', 'http://www.example.com/', true],
    ['example.com:8080', 'http://example.com:8080/', true],
    ['example.com:8080', 'http://example.com/', false],
    ['example.com:8000', 'http://example.com:80/', false],
    ['bücher.de', 'https://xn--bcher-kva.de/', true],
    ['[::1]:80', 'http://[::1]/', true],
    ['*', 'https://example.com:8080/', true],
    ['*', 'https://[/', false],
    ['example.com', 'https://exa mple.com/', false],
  ])('of %s: allows %s: %s', (host, url, expected) => {
    expect(parseHostList([host]).allows(url)).toBe(expected)
  })
})
