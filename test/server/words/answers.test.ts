// Covers the responses of a running service: their headers and routes as a whole.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overASocket, startWordService, type Way, type WordService } from './word-service.js'

const ALWAYS = ['x-request-id', 'x-response-time', 'x-pricing-plan', 'access-control-allow-origin']
const OF_AN_ANSWER = ALWAYS.concat(
  ['x-cache-status', 'x-timestamp', 'x-cache-ttl', 'age', 'cache-status', 'etag', 'cache-control'],
  ['x-fetch-mode', 'server-timing', 'x-content-type-options'],
)
const OF_THE_FREE_HOST = [
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'ratelimit-policy',
  'ratelimit',
]
const OF_BYTES = [
  'content-disposition',
  'content-security-policy',
  'cross-origin-resource-policy',
  'timing-allow-origin',
]
const OF_A_PICTURE = [...OF_BYTES, 'x-image-size', 'x-image-width', 'x-image-height']
const NOT_READ_BY_PAGES = [...OF_BYTES, 'x-content-type-options', 'access-control-allow-origin']

const SMALL = '&viewport.width=100&viewport.height=60&viewport.deviceScaleFactor=1'
const PICTURE = `${SMALL}&screenshot`

let service: WordService
beforeAll(async () => void (service = await startWordService()))
afterAll(() => service.close())

const address = (page: string, words = '') => `/?url=${encodeURIComponent(service.site.url + page)}${words}`

/** Every kind of answer to `GET /?url=…`: what is asked for, its type, and what its headers say beside those of all. */
const kinds: [what: string, page: string, words: string, type: string, more: string[]][] = [
  ['JSON', '/painted', '', 'application/json; charset=utf-8', []],
  ['JSON with a screenshot', '/painted', PICTURE, 'application/json; charset=utf-8', []],
  ['the picture', '/painted', `${PICTURE}&embed`, 'image/jpeg', OF_A_PICTURE],
  ['the picture, by its path', '/painted', `${PICTURE}&embed=screenshot.url`, 'image/jpeg', OF_A_PICTURE],
  ['the picture as webp', '/painted', `${PICTURE}&type=webp&embed=screenshot`, 'image/webp', OF_A_PICTURE],
  ['a found image', '/media', '&embed=image.url', 'image/png', OF_A_PICTURE],
  ['a text', '/painted', '&embed=title', 'text/plain; charset=utf-8', []],
  ['a number', '/painted', `${PICTURE}&embed=screenshot.width`, 'application/json; charset=utf-8', []],
  ['a whole medium', '/media', '&embed=image.size_pretty', 'text/plain; charset=utf-8', []],
  ['an oEmbed photo', '/painted', `${PICTURE}&oembed`, 'application/json; charset=utf-8', []],
]

describe.each([
  ['as a function', (url, init) => service.directly(url, init)],
  ['over a socket', overASocket],
] as [string, Way][])('%s', (_, by) => {
  const get = (path: string, init?: RequestInit) => by(service.serving.free + path, init)
  const pathOf = (page: string, words: string) =>
    words.endsWith('&oembed')
      ? `/oembed?url=${encodeURIComponent(service.serving.free + address(page, words.replace('&oembed', '')))}`
      : address(page, words)

  describe.each(kinds)('%s', (__, page, words, type, more) => {
    it('has every header that is promised, for pages of other origins too', async () => {
      const { status, headers } = await get(pathOf(page, words))
      expect([status, headers.get('content-type')]).toEqual([200, type])
      const exposed = headers.get('access-control-expose-headers')!.split(', ')
      for (const name of [...OF_AN_ANSWER, ...OF_THE_FREE_HOST, ...more]) {
        expect(headers.has(name), name).toBe(true)
        if (!NOT_READ_BY_PAGES.includes(name)) expect(exposed, name).toContain(name)
      }
      expect(headers.get('cache-control')).not.toContain('must-revalidate')
    })

    it('is the same for HEAD, without its bytes', async () => {
      const [whole, head] = [await get(pathOf(page, words)), await get(pathOf(page, words), { method: 'HEAD' })]
      expect([head.status, await head.text()]).toEqual([200, ''])
      for (const name of ['content-type', 'etag', 'x-timestamp', 'cache-control'])
        expect(head.headers.get(name), name).toBe(whole.headers.get(name))
    })

    it('is 304 for whoever has it', async () => {
      const first = await get(pathOf(page, words))
      const etag = first.headers.get('etag')!
      const again = await get(pathOf(page, words), { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      for (const name of ['x-cache-status', 'x-timestamp', 'age', 'cache-control', 'x-request-id'])
        expect(again.headers.has(name), name).toBe(true)
      const other = await get(pathOf(page, words), { headers: { 'if-none-match': '"other"' } })
      expect(other.status).toBe(200)
    })
  })

  it('asked for as a preflight, anything is allowed with a key', async () => {
    for (const path of [address('/painted'), '/oembed', `/images/${'0'.repeat(64)}.jpg`, '/metrics']) {
      const { status, headers } = await get(path, { method: 'OPTIONS' })
      expect([status, headers.get('access-control-allow-headers'), headers.get('access-control-allow-origin')]).toEqual(
        [204, 'x-api-key', '*'],
      )
    }
  })

  it('without a page, a browser is shown the playground, and a program told what is missing', async () => {
    const shown = await get('/', { headers: { accept: 'text/html,*/*' }, redirect: 'manual' })
    expect([shown.status, shown.headers.get('location')]).toEqual([302, '/playground/'])
    expect((await get('/', { headers: { accept: '*/*' } })).status).toBe(400)
  })

  it('of the pro host, an answer tells of no limit', async () => {
    const headers = { 'x-api-key': service.key }
    const answer = await by(service.serving.pro + address('/painted'), { headers })
    expect([answer.status, answer.headers.get('x-pricing-plan')]).toEqual([200, 'pro'])
    for (const name of OF_THE_FREE_HOST) expect(answer.headers.has(name), name).toBe(false)
  })
})
