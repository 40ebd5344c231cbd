import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../../local-site.js'
import { startService, type StartedService } from '../../shared/start-service.js'

let site: LocalSite
let serving: StartedService

/** Through a socket, and nothing is undone: `fetch` would unpack. */
async function ask(headers: Record<string, string>) {
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

it('what was given a moment ago comes packed as each client asks for it', async () => {
  const plain = await ask({})
  for (const [accepted, coding] of [
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
    ['identity', undefined],
    ['gzip', 'gzip'],
  ] as const) {
    const { headers, bytes } = await ask({ 'accept-encoding': accepted })
    expect([headers['x-cache-status'], headers['content-encoding'], headers.vary]).toEqual([
      'HIT',
      coding,
      'accept-encoding',
    ])
    expect(headers['content-length']).toBe(String(bytes.byteLength))
    if (coding === 'gzip') expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true)
  }
  const etag = (await ask({ 'accept-encoding': 'gzip' })).headers.etag!
  const known = await ask({ 'accept-encoding': 'gzip', 'if-none-match': etag })
  expect([known.status, known.headers.etag, known.bytes.byteLength]).toEqual([304, etag, 0])
})
