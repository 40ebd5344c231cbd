// Covers the responses of a running service: their headers and routes as a whole.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { overSocket, startParameterService, type Transport, type ParameterService } from './parameter-service.js'

const HEADERS_OF_EVERY_RESPONSE = ['x-request-id', 'x-response-time', 'x-pricing-plan', 'access-control-allow-origin']
const RESULT_HEADERS = HEADERS_OF_EVERY_RESPONSE.concat(
  ['x-cache-status', 'x-timestamp', 'x-cache-ttl', 'age', 'cache-status', 'etag', 'cache-control'],
  ['x-fetch-mode', 'server-timing', 'x-content-type-options'],
)
const FREE_HOST_HEADERS = [
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'ratelimit-policy',
  'ratelimit',
]
const FILE_HEADERS = [
  'content-disposition',
  'content-security-policy',
  'cross-origin-resource-policy',
  'timing-allow-origin',
]
const IMAGE_HEADERS = [...FILE_HEADERS, 'x-image-size', 'x-image-width', 'x-image-height']
const NOT_EXPOSED_HEADERS = [...FILE_HEADERS, 'x-content-type-options', 'access-control-allow-origin']

const SMALL_VIEWPORT = '&viewport.width=100&viewport.height=60&viewport.deviceScaleFactor=1'
const SCREENSHOT = `${SMALL_VIEWPORT}&screenshot`

let service: ParameterService
beforeAll(async () => void (service = await startParameterService()))
afterAll(() => service.close())

const previewPath = (page: string, parameters = '') =>
  `/?url=${encodeURIComponent(service.site.url + page)}${parameters}`

/** Every kind of response to `GET /?url=…`: its name, the request, the content type, and the headers that not every result has. */
const kinds: [name: string, page: string, parameters: string, type: string, ownHeaders: string[]][] = [
  ['JSON', '/painted', '', 'application/json; charset=utf-8', []],
  ['JSON with a screenshot', '/painted', SCREENSHOT, 'application/json; charset=utf-8', []],
  ['the screenshot', '/painted', `${SCREENSHOT}&embed`, 'image/jpeg', IMAGE_HEADERS],
  ['the screenshot by its path', '/painted', `${SCREENSHOT}&embed=screenshot.url`, 'image/jpeg', IMAGE_HEADERS],
  ['the screenshot as WebP', '/painted', `${SCREENSHOT}&type=webp&embed=screenshot`, 'image/webp', IMAGE_HEADERS],
  ['an image of the page', '/media', '&embed=image.url', 'image/png', IMAGE_HEADERS],
  ['a text field', '/painted', '&embed=title', 'text/plain; charset=utf-8', []],
  ['a numeric field', '/painted', `${SCREENSHOT}&embed=screenshot.width`, 'application/json; charset=utf-8', []],
  ['a property of an image', '/media', '&embed=image.size_pretty', 'text/plain; charset=utf-8', []],
  ['an oEmbed photo', '/painted', `${SCREENSHOT}&oembed`, 'application/json; charset=utf-8', []],
]

describe.each([
  ['as a function', (url, init) => service.inProcess(url, init)],
  ['over a socket', overSocket],
] as [string, Transport][])('%s', (_, transport) => {
  const get = (path: string, init?: RequestInit) => transport(service.server.free + path, init)
  const pathOf = (page: string, parameters: string) =>
    parameters.endsWith('&oembed')
      ? `/oembed?url=${encodeURIComponent(service.server.free + previewPath(page, parameters.replace('&oembed', '')))}`
      : previewPath(page, parameters)

  describe.each(kinds)('%s', (__, page, parameters, type, ownHeaders) => {
    it('has every documented header, exposed to pages of other origins', async () => {
      const { status, headers } = await get(pathOf(page, parameters))
      expect([status, headers.get('content-type')]).toEqual([200, type])
      const exposed = headers.get('access-control-expose-headers')!.split(', ')
      for (const name of [...RESULT_HEADERS, ...FREE_HOST_HEADERS, ...ownHeaders]) {
        expect(headers.has(name), name).toBe(true)
        if (!NOT_EXPOSED_HEADERS.includes(name)) expect(exposed, name).toContain(name)
      }
      expect(headers.get('cache-control')).not.toContain('must-revalidate')
    })

    it('has the same headers for HEAD, without a body', async () => {
      const [full, head] = [
        await get(pathOf(page, parameters)),
        await get(pathOf(page, parameters), { method: 'HEAD' }),
      ]
      expect([head.status, await head.text()]).toEqual([200, ''])
      for (const name of ['content-type', 'etag', 'x-timestamp', 'cache-control'])
        expect(head.headers.get(name), name).toBe(full.headers.get(name))
    })

    it('is 304 for a matching etag', async () => {
      const first = await get(pathOf(page, parameters))
      const etag = first.headers.get('etag')!
      const notModified = await get(pathOf(page, parameters), { headers: { 'if-none-match': etag } })
      expect([notModified.status, await notModified.text()]).toEqual([304, ''])
      for (const name of ['x-cache-status', 'x-timestamp', 'age', 'cache-control', 'x-request-id'])
        expect(notModified.headers.has(name), name).toBe(true)
      const changed = await get(pathOf(page, parameters), { headers: { 'if-none-match': '"other"' } })
      expect(changed.status).toBe(200)
    })
  })

  it('allows cross-origin requests with an API key to every path in a preflight', async () => {
    for (const path of [previewPath('/painted'), '/oembed', `/images/${'0'.repeat(64)}.jpg`, '/metrics']) {
      const { status, headers } = await get(path, { method: 'OPTIONS' })
      expect([status, headers.get('access-control-allow-headers'), headers.get('access-control-allow-origin')]).toEqual(
        [204, 'x-api-key', '*'],
      )
    }
  })

  it('redirects browsers that request no page to the playground, and sends an error to programs', async () => {
    const redirect = await get('/', { headers: { accept: 'text/html,*/*' }, redirect: 'manual' })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/playground/'])
    expect((await get('/', { headers: { accept: '*/*' } })).status).toBe(400)
  })

  it('sends no rate limit headers from the pro host', async () => {
    const headers = { 'x-api-key': service.key }
    const response = await transport(service.server.pro + previewPath('/painted'), { headers })
    expect([response.status, response.headers.get('x-pricing-plan')]).toEqual([200, 'pro'])
    for (const name of FREE_HOST_HEADERS) expect(response.headers.has(name), name).toBe(false)
  })
})
