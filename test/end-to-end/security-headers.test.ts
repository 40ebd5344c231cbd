// Covers the headers of real responses that limit what browsers do with them, and where a client sends its key.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { createProxy } from '../../src/proxy/index.js'
import { localSite, redirectTo, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { openPage } from './open-page.js'

let site: LocalSite
let service: StartedService
beforeAll(async () => {
  site = await localSite({ '/': '<title>A page</title><body>Text' })
  service = await startService(`--allow-target=${site.host}`)
})
afterAll(async () => {
  await service.stop()
  await site.close()
})

it.each(['/?url=x', '/nowhere', '/images/nothing', '/?url=http://10.0.0.1/'])(
  'sends nosniff with the error of %s',
  async (path) => {
    const response = await fetch(service.free + path)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  },
)

it('sends nosniff with an error of the proxy', async () => {
  const proxy = createProxy({ endpoint: service.free, allow: { targets: ['example.com'] } })
  const response = await proxy(new Request('http://app.test/page-preview?url=https://other.example'))
  expect(response.status).toBe(403)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

it.each(['', 'errors.html'])('lets no page frame /playground/%s, and no script of others run in it', async (file) => {
  const { headers } = await fetch(`${service.free}/playground/${file}`)
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(headers.get('x-frame-options')).toBe('DENY')
})

it('runs the playground under its policy', async () => {
  const chromium = await launchChromium()
  try {
    const { page, complaints } = await openPage(chromium, `${service.free}/playground/`)
    await page.waitForSelector('#playground form')
    expect(complaints.filter((complaint) => /-src|policy/i.test(complaint))).toEqual([])
  } finally {
    await chromium.close()
  }
})

it('does not take the key to another origin', async () => {
  const received: (string | undefined)[] = []
  const other = await localSite({
    '/': (request, response) => {
      received.push(request.headers['x-api-key']?.toString())
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"success","data":{}}')
    },
  })
  const redirecting = await localSite({ '/': redirectTo(`${other.url}/`) })
  const client = createClient({ endpoint: redirecting.url, apiKey: 'pp_a_secret', retry: 0 })
  await expect(client.page({ url: site.url })).rejects.toMatchObject({ code: 'EFATALCLIENT' })
  expect(received).toEqual([])
  await Promise.all([other.close(), redirecting.close()])
})
