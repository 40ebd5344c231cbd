import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createCompressor, negotiateEncoding } from '../../../src/server/http/content-coding.js'
import { textBody } from '../../../src/server/http/response.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

const DESCRIPTION = 'A long description. '.repeat(40).trim()

let site: LocalSite
let service: Service

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }
const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.fetch(new Request(`http://previews.test${path}`, { headers, method }))
const previewPath = (parameters: Record<string, string> = {}) =>
  `/?${new URLSearchParams({ url: `${site.url}/`, ...parameters })}`
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

beforeAll(async () => {
  const png = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  site = await localSite({
    '/': `<title>A page</title><meta name="description" content="${DESCRIPTION}"><meta property="og:image" content="/a.png">`,
    '/a.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png),
  })
  service = createService({ allowTargets: [site.host] })
  await service.ready()
})

afterAll(async () => {
  await service.close()
  await site.close()
})

describe('a text response', () => {
  const paths: [string, () => string][] = [
    ['JSON', () => previewPath()],
    ['a text field', () => previewPath({ embed: 'description' })],
    ['a card', () => previewPath({ embed: 'html' })],
    ['the script tag', () => '/page-preview.js'],
    ['the playground', () => '/playground/'],
    ['the OpenAPI document', () => '/openapi.json'],
  ]
  it.each(
    paths.flatMap(([name, path]) =>
      (['br', 'gzip'] as const).map((encoding): [string, string, () => string] => [name, encoding, path]),
    ),
  )('%s is compressed with %s when the client accepts it', async (_, encoding, path) => {
    const plain = await request(path())
    const compressed = await request(path(), { 'accept-encoding': encoding })
    const [bytes, compressedBytes] = [await bytesOf(plain), await bytesOf(compressed)]
    expect([plain.status, compressed.status]).toEqual([200, 200])
    for (const { headers } of [plain, compressed]) expect(headers.get('vary')).toMatch(/\baccept-encoding$/)
    expect([plain, compressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, encoding])
    expect(compressed.headers.get('content-length')).toBe(String(compressedBytes.byteLength))
    expect(compressed.headers.get('content-type')).toBe(plain.headers.get('content-type'))
    expect(decoders[encoding]!(compressedBytes).equals(bytes)).toBe(true)
    expect(compressedBytes.byteLength).toBeLessThan(bytes.byteLength)

    const etag = compressed.headers.get('etag')!
    expect(etag).toBe(`W/${plain.headers.get('etag')}`)
    const notModified = await request(path(), { 'accept-encoding': encoding, 'if-none-match': etag })
    expect([notModified.status, notModified.headers.get('etag'), (await bytesOf(notModified)).byteLength]).toEqual([
      304,
      etag,
      0,
    ])

    const head = await request(path(), { 'accept-encoding': encoding }, 'HEAD')
    const names = ['content-length', 'content-encoding', 'content-type', 'etag', 'vary']
    expect(names.map((name) => head.headers.get(name))).toEqual(names.map((name) => compressed.headers.get(name)))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('is not compressed when it is an image', async () => {
    const { headers } = await request(previewPath({ embed: 'image.url' }), { 'accept-encoding': 'gzip, br' })
    expect([headers.get('content-type'), headers.get('content-encoding')]).toEqual(['image/png', null])
    expect(headers.get('vary')).not.toContain('accept-encoding')
  })

  it('does not affect the 204 of OPTIONS', async () => {
    for (const path of [previewPath(), '/page-preview.js', '/playground/', '/images/nothing', '/nowhere'])
      expect((await request(path, {}, 'OPTIONS')).status).toBe(204)
  })
})

const options = { client: '192.0.2.1', encoding: 'br', signal: new AbortController().signal } as const
const text = (content: string) => textBody(content, 'text/plain')

it('compresses the same content once', async () => {
  const compress = createCompressor()
  const compressed = async (content: string) => (await compress(text(content), options)).bytes
  const [one, other] = await Promise.all([compressed(DESCRIPTION), compressed(DESCRIPTION)])
  expect(one).toBe(other)
  expect(await compressed(DESCRIPTION)).toBe(one)
  expect(await compressed(`${DESCRIPTION}!`)).not.toBe(one)
})

it('leaves a body uncompressed that is too short to shrink', async () => {
  const { headers } = await createCompressor()(text('short'), options)
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding'])
})

it.each(['br', 'gzip'] as const)('lets the main thread do other work while it compresses with %s', async (encoding) => {
  const compress = createCompressor()
  const content = Array.from({ length: 400_000 }, (_, n) => n.toString(36)).join(' ')
  const compressing = compress(text(content), { ...options, encoding })
  const pending = new Set([compressing])
  void compressing.finally(() => pending.clear())
  let turns = 0
  for (; pending.size > 0; turns++) await new Promise((resolve) => setImmediate(resolve))
  expect((await compressing).headers['content-encoding']).toBe(encoding)
  expect(turns).toBeGreaterThan(10)
})

it('compresses for another client before the remaining bodies of a client that has many', async () => {
  const compress = createCompressor()
  let done = 0
  const many = Array.from({ length: 50 }, async (_, n) => {
    await compress(text(`${DESCRIPTION.repeat(200)}${n}`), options)
    done++
  })
  await compress(text(DESCRIPTION), { ...options, client: '192.0.2.2' })
  expect(done).toBeLessThan(10)
  await Promise.all(many)
})

it('goes on for others when one of the clients of the same content leaves', async () => {
  const compress = createCompressor()
  const leaving = new AbortController()
  const left = compress(text(DESCRIPTION), { ...options, signal: leaving.signal })
  const other = compress(text(DESCRIPTION), options)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect((await other).headers['content-encoding']).toBe('br')
})

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['zstd', undefined],
  ['', undefined],
  [null, undefined],
  ['gzip;q=0.000', undefined],
  [' br ; q=0.5 , gzip ; q=0.6', 'gzip'],
])('selects for "%s" the content coding %s', (acceptEncoding, encoding) => {
  expect(negotiateEncoding(acceptEncoding)).toBe(encoding)
  expect(negotiateEncoding(acceptEncoding)).toBe(encoding)
})

it('tells clients when to come again if too many responses are waiting', async () => {
  const compress = createCompressor()
  const leaving = new AbortController()
  const compressions = Array.from({ length: 10_003 }, (_, index) => {
    return compress(text(`${index} ${DESCRIPTION}`), { ...options, signal: leaving.signal })
  })
  const settled = Promise.allSettled(compressions)
  await expect(compressions.at(-1)).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 1_000 })
  leaving.abort()
  await settled
})
