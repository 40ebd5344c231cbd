import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imageVariant } from '../../../src/server/media/image-variant.js'
import { createSingleFlight } from '../../../src/server/jobs/index.js'
import { openLocalStore, type ImageName, type Store } from '../../../src/server/store/index.js'
import type { PageResponse } from '../../../src/query/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let site: LocalSite
let service: Service
/** Address of a kept screenshot of 1000 × 500 pixels. */
let image: string

const ask = (url: string, init?: RequestInit) => service.fetch(new Request(url, init))
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

beforeAll(async () => {
  site = await localSite({
    '/': '<body style="margin:0"><div id="hero" style="width:500px;height:250px;background:linear-gradient(red,blue)">',
  })
  service = createService({ allowTargets: [site.host] })
  await service.ready()
  const words = new URLSearchParams({ url: `${site.url}/`, element: '#hero', meta: 'false' })
  const { data } = (await (await ask(`http://previews.test/?${words}`)).json()) as PageResponse
  image = data.screenshot!.url
})

afterAll(async () => {
  await service.close()
  await site.close()
})

describe('a kept image', () => {
  it.each([
    ['', 'jpeg', 1000, 500],
    ['?w=320', 'jpeg', 320, 160],
    ['?w=640&type=webp', 'webp', 640, 320],
    ['?w=960&type=png', 'png', 960, 480],
    ['?type=avif', 'heif', 1000, 500],
    ['?w=1280', 'jpeg', 1000, 500],
    ['?w=1920&type=webp', 'webp', 1000, 500],
  ])('%s is %s of %i × %i', async (words, format, width, height) => {
    const response = await ask(`${image}${words}`)
    expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({ format, width, height })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': `image/${format === 'heif' ? 'avif' : format}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    const etag = response.headers.get('etag')!
    const again = await ask(`${image}${words}`, { headers: { 'if-none-match': `"other", ${etag}` } })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
    const head = await ask(`${image}${words}`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('is itself where a variant would be as large: nothing is encoded twice', async () => {
    const [own, large] = [await ask(image), await ask(`${image}?w=1280`)]
    expect(large.headers.get('etag')).toBe(own.headers.get('etag'))
  })

  it.each([
    ['?w=321', 'w'],
    ['?w=0', 'w'],
    ['?w=3.2e2', 'w'],
    ['?w=', 'w'],
    ['?w=99999', 'w'],
    ['?type=gif', 'type'],
    ['?type=', 'type'],
  ])('is not offered as %s', async (words, word) => {
    const response = await ask(`${image}${words}`)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { status: 'fail', code: 'EINVALQUERY', data: { [word]: expect.stringContaining('must be one of') } },
    ])
  })

  it.each([
    `/images/${'0'.repeat(64)}.jpg`,
    `/images/${'0'.repeat(64)}.jpg?w=320`,
    '/images/',
    '/images/..%2f..%2fstore.mdb',
    `/images/${'0'.repeat(64)}.html`,
  ])('%s is not there', async (path) => {
    const response = await ask(`http://previews.test${path}`)
    expect([response.status, await response.json()]).toMatchObject([404, { status: 'fail', code: 'ENOTFOUND' }])
  })
})

describe('a variant', () => {
  let dataDir: string
  let store: Store
  let written = 0
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'page-preview-variants-'))
    const kept = await openLocalStore({ dataDir, maxBytes: 100_000_000 })
    const writeImage = (bytes: Uint8Array, type: string) => (written++, kept.writeImage(bytes, type))
    store = { ...kept, writeImage }
  })
  afterAll(async () => {
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const variantsOf = (picture: ImageName) => {
    const sources = {
      store,
      flights: createSingleFlight<ImageName | undefined>(),
      limit: <Result>(work: () => Promise<Result>) => work(),
      clock: Date.now,
      signal: new AbortController().signal,
    }
    return (width: string | undefined, type?: string) => imageVariant(picture, { width, type }, sources)
  }
  const create = { width: 1000, height: 500, channels: 4, background: '#f000' } as const

  it('is made once, however many ask', async () => {
    const variant = variantsOf(await store.writeImage(await sharp({ create }).png().toBuffer(), 'png'))
    written = 0
    const names = await Promise.all(Array.from({ length: 10 }, () => variant('640', 'webp')))
    expect(new Set([...names, await variant('640', 'webp')]).size).toBe(1)
    expect(written).toBe(1)
  })

  it('has white where a jpg cannot be transparent', async () => {
    const variant = variantsOf(await store.writeImage(await sharp({ create }).png().toBuffer(), 'png'))
    const bytes = await store.readImage((await variant('320', 'jpg'))!)
    const { channels } = await sharp(bytes).stats()
    expect(channels.map(({ mean }) => Math.round(mean))).toEqual([255, 255, 255])
  })

  it('of a very tall picture fits into what its format can hold', async () => {
    const tall = { ...create, width: 640, height: 40_000 }
    const variant = variantsOf(await store.writeImage(await sharp({ create: tall }).png().toBuffer(), 'png'))
    const bytes = await store.readImage((await variant('640', 'webp'))!)
    const { width, height } = await sharp(bytes).metadata()
    expect([width, height]).toEqual([262, 16_383])
  })
})
