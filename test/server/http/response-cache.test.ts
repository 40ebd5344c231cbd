import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'

let site: LocalSite
let serving: StartedService

/** Requests the page with `node:http`, because `fetch` would decompress the body. */
async function requestPage(headers: Record<string, string>) {
  const url = `${serving.free}/?${new URLSearchParams({ url: `${site.url}/` })}`
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers }, resolve).on('error', reject),
  )
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

beforeAll(async () => {
  site = await localSite({ '/': `<title>A page</title><meta name="description" content="${'Long. '.repeat(100)}">` })
  serving = await startService(`--allow-target=${site.host}`)
})

afterAll(async () => {
  await serving.stop()
  await site.close()
})

it('a repeated response has the content coding that each client accepts', async () => {
  const plain = await requestPage({})
  for (const [acceptEncoding, encoding] of [
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
    ['identity', undefined],
    ['gzip', 'gzip'],
  ] as const) {
    const { headers, bytes } = await requestPage({ 'accept-encoding': acceptEncoding })
    expect([headers['x-cache-status'], headers['content-encoding'], headers.vary]).toEqual([
      'HIT',
      encoding,
      'x-page-preview-allow-hosts, accept-encoding',
    ])
    expect(headers['content-length']).toBe(String(bytes.byteLength))
    if (encoding === 'gzip') expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true)
  }
  const etag = (await requestPage({ 'accept-encoding': 'gzip' })).headers.etag!
  const notModified = await requestPage({ 'accept-encoding': 'gzip', 'if-none-match': etag })
  expect([notModified.status, notModified.headers.etag, notModified.bytes.byteLength]).toEqual([304, etag, 0])
  expect(notModified.headers.vary).toBe('x-page-preview-allow-hosts, accept-encoding')
})
