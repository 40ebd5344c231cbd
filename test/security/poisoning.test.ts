// Covers results that one caller could spoil for others, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'

/** Another URL of the same cache key, which no response in memory belongs to. */
const FROM_STORE = { ttl: '23h' }
const IMAGE_DELAY_MS = 8_000
const ELEMENT_DELAY_MS = 4_000

let service: AttackedService
let status = 200
let isSlow = false
beforeAll(async () => {
  service = await startAttackedService({
    '/': (_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' })
      response.end(`<title>Status ${status}</title><body style="background:#fff">Status ${status}<img src="/slow.svg">`)
    },
    '/late': `<body><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<h1>Late</h1>'), ${ELEMENT_DELAY_MS})</script>`,
    '/slow.svg': (_, response) => {
      const image =
        '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><path fill="red" d="M0 0h900v900H0z"/></svg>'
      const send = () => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(image)
      if (isSlow) setTimeout(send, IMAGE_DELAY_MS)
      else send()
    },
  })
})
afterAll(() => service.stop())

const screenshot = async (path: string, parameters: Record<string, string> = {}) => {
  const response = await service.get({
    url: `${service.site.url}${path}`,
    screenshot: 'true',
    ping: 'false',
    ...parameters,
  })
  const { data, statusCode, warnings } = (await response.json()) as {
    data?: { screenshot?: { url: string } }
    statusCode?: number
    warnings?: string[]
  }
  return {
    status: response.status,
    cache: response.headers.get('x-cache-status'),
    image: data?.screenshot?.url,
    statusCode,
    warnings: warnings ?? [],
  }
}

it('never stores a result that the deadline of its caller cut short', async () => {
  isSlow = false
  const complete = await screenshot('/?forced')
  expect(complete).toMatchObject({ status: 200, cache: 'MISS' })
  isSlow = true
  const cut = await screenshot('/?forced', { force: 'true', timeout: '4s' })
  expect(cut).toMatchObject({ status: 200, cache: 'BYPASS', warnings: [expect.stringContaining('still loading')] })
  expect(cut.image).not.toBe(complete.image)
  expect((await fetch(cut.image!)).status).toBe(200)
  expect(await screenshot('/?forced', FROM_STORE)).toEqual({ ...complete, cache: 'HIT' })
})

it('does not share a result that was cut short with a request that has more time', async () => {
  isSlow = true
  const [cut, complete] = await Promise.all([screenshot('/?joined', { timeout: '4s' }), screenshot('/?joined')])
  expect(cut.warnings).toEqual([expect.stringContaining('still loading')])
  expect(complete).toMatchObject({ status: 200, cache: 'MISS', warnings: [] })
  expect(await screenshot('/?joined', FROM_STORE)).toEqual({ ...complete, cache: 'HIT' })
})

it.each(['1ms', '500ms', '2s', '3s'])('fails nobody else by a request with timeout=%s', async (timeout) => {
  const path = `/late?${timeout}`
  const late = { element: 'h1', waitForSelector: 'h1' }
  const failed = await screenshot(path, { ...late, timeout })
  expect([422, 504]).toContain(failed.status)
  expect(await screenshot(path, late)).toMatchObject({ status: 200, cache: 'MISS', warnings: [] })
})

it('never replaces a page by its error page', async () => {
  isSlow = false
  const path = '/?down'
  const good = await screenshot(path)
  status = 503
  const bad = await screenshot(path, { force: 'true' })
  status = 200
  expect(bad).toMatchObject({ status: 200, cache: 'BYPASS', statusCode: 503 })
  expect(await screenshot(path, FROM_STORE)).toEqual({ ...good, cache: 'HIT' })
})
