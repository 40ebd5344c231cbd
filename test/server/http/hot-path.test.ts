import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readServeOptions, serve, type Serving } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let dataDir: string
let site: LocalSite
let serving: Serving

/** Through a socket, and nothing is undone: `fetch` would unpack. */
async function ask(headers: Record<string, string>) {
  const url = `${serving.free}/?${new URLSearchParams({ url: `${site.url}/` })}`
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers }, resolve).on('error', reject),
  )
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-hot-'))
  site = await localSite({ '/': `<title>A page</title><meta name="description" content="${'Long. '.repeat(100)}">` })
  const flags = ['--port=0', '--pro-port=0', `--data-dir=${dataDir}`, `--allow-target=${site.host}`]
  serving = await serve(readServeOptions([...flags, '--log-level=silent'], {}))
})

afterAll(async () => {
  await serving.stop()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
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
