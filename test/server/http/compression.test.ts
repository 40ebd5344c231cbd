import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createCompressor } from '../../../src/server/http/compressor.js'
import { negotiateEncoding } from '../../../src/server/http/negotiate-encoding.js'
import { textBody } from '../../../src/server/http/response-body.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

const DESCRIPTION = 'A long description. '.repeat(40).trim()

let site: LocalSite
let service: Service

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.fetch(new Request(`http://previews.test${path}`, { headers, method }))
const preview = (words: Record<string, string> = {}) => `/?${new URLSearchParams({ url: `${site.url}/`, ...words })}`
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

beforeAll(async () => {
  const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  site = await localSite({
    '/': `<title>A page</title><meta name="description" content="${DESCRIPTION}"><meta property="og:image" content="/a.png">`,
    '/a.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(picture),
  })
  service = createService({ allowTargets: [site.host] })
  await service.ready()
})

afterAll(async () => {
  await service.close()
  await site.close()
})

describe('an answer in text', () => {
  const paths: [string, () => string][] = [
    ['JSON', () => preview()],
    ['a text field', () => preview({ embed: 'description' })],
    ['a card', () => preview({ embed: 'html' })],
    ['the script tag', () => '/page-preview.js'],
    ['the playground', () => '/playground/'],
    ['the OpenAPI document', () => '/openapi.json'],
  ]
  it.each(
    paths.flatMap(([name, path]) =>
      (['br', 'gzip'] as const).map((coding): [string, string, () => string] => [name, coding, path]),
    ),
  )('%s comes as %s when that is asked for', async (_, coding, path) => {
    const plain = await ask(path())
    const packed = await ask(path(), { 'accept-encoding': coding })
    const [bytes, packedBytes] = [await bytesOf(plain), await bytesOf(packed)]
    expect([plain.status, packed.status]).toEqual([200, 200])
    expect([plain, packed].map(({ headers }) => headers.get('vary'))).toEqual(['accept-encoding', 'accept-encoding'])
    expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, coding])
    expect(packed.headers.get('content-length')).toBe(String(packedBytes.byteLength))
    expect(packed.headers.get('content-type')).toBe(plain.headers.get('content-type'))
    expect(decoders[coding]!(packedBytes).equals(bytes)).toBe(true)
    expect(packedBytes.byteLength).toBeLessThan(bytes.byteLength)

    const etag = packed.headers.get('etag')!
    expect(etag).toBe(`W/${plain.headers.get('etag')}`)
    const again = await ask(path(), { 'accept-encoding': coding, 'if-none-match': etag })
    expect([again.status, again.headers.get('etag'), (await bytesOf(again)).byteLength]).toEqual([304, etag, 0])

    const head = await ask(path(), { 'accept-encoding': coding }, 'HEAD')
    const told = ['content-length', 'content-encoding', 'content-type', 'etag', 'vary']
    expect(told.map((name) => head.headers.get(name))).toEqual(told.map((name) => packed.headers.get(name)))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('is not packed when it is a picture', async () => {
    const { headers } = await ask(preview({ embed: 'image.url' }), { 'accept-encoding': 'gzip, br' })
    expect([headers.get('content-type'), headers.get('content-encoding')]).toEqual(['image/png', null])
    expect(headers.get('vary')).toBe(null)
  })

  it('is as it is for OPTIONS', async () => {
    for (const path of [preview(), '/page-preview.js', '/playground/', '/images/nothing', '/nowhere'])
      expect((await ask(path, {}, 'OPTIONS')).status).toBe(204)
  })
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
])('of "%s" the best coding is %s', (accepted, coding) => {
  expect(negotiateEncoding(accepted)).toBe(coding)
})

it('packs the same content once', () => {
  const compress = createCompressor()
  const pack = (text: string) => compress(textBody(text, 'text/plain'), 'br').bytes
  expect(pack(DESCRIPTION)).toBe(pack(DESCRIPTION))
  expect(pack(DESCRIPTION)).not.toBe(pack(`${DESCRIPTION}!`))
})

it('leaves alone what is too short to gain', () => {
  const { headers } = createCompressor()(textBody('short', 'text/plain'), 'br')
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding'])
})
