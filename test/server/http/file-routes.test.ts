import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../../src/query/index.js'
import { createService, type Service } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let site: LocalSite
let service: Service
/** URL of a stored screenshot of 1000 × 500 pixels. */
let imageUrl: string

const request = (url: string, init?: RequestInit) => service.fetch(new Request(url, init))
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

beforeAll(async () => {
  site = await localSite({
    '/': '<body style="margin:0"><div id="hero" style="width:500px;height:250px;background:linear-gradient(red,blue)">',
  })
  service = createService({ allowTargets: [site.host] })
  await service.ready()
  const parameters = new URLSearchParams({ url: `${site.url}/`, element: '#hero', meta: 'false' })
  const { data } = (await (await request(`http://previews.test/?${parameters}`)).json()) as PageResponse
  imageUrl = data.screenshot!.url
})

afterAll(async () => {
  await service.close()
  await site.close()
})

describe('a stored image', () => {
  it.each([
    ['', 'jpeg', 1000, 500],
    ['?w=320', 'jpeg', 320, 160],
    ['?w=640&type=webp', 'webp', 640, 320],
    ['?w=960&type=png', 'png', 960, 480],
    ['?type=avif', 'heif', 1000, 500],
    ['?w=1280', 'jpeg', 1000, 500],
    ['?w=1920&type=webp', 'webp', 1000, 500],
    ['?maxSide=400', 'jpeg', 400, 200],
    ['?maxSide=1000', 'jpeg', 1000, 500],
    ['?w=640&maxSide=400&maxBytes=100000&type=webp', 'webp', 400, 200],
    ['?maxBytes=25000000', 'jpeg', 1000, 500],
    ['?tile=0', 'jpeg', 1000, 500],
    ['?tile=0&maxSide=512', 'jpeg', 368, 500],
    ['?tile=2&maxSide=512&maxBytes=100000&type=webp', 'webp', 368, 500],
    ['?tile=1&w=640&maxSide=512', 'jpeg', 345, 319],
  ])('with "%s" is %s of %i × %i', async (parameters, format, width, height) => {
    const response = await request(`${imageUrl}${parameters}`)
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
    const notModified = await request(`${imageUrl}${parameters}`, { headers: { 'if-none-match': `"other", ${etag}` } })
    expect([notModified.status, notModified.headers.get('etag')]).toEqual([304, etag])
    const head = await request(`${imageUrl}${parameters}`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(response.headers.get('content-length'))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('is returned as it is if a variant would not be smaller', async () => {
    const [original, large] = [await request(imageUrl), await request(`${imageUrl}?w=1280`)]
    expect(large.headers.get('etag')).toBe(original.headers.get('etag'))
  })

  it.each([
    ['?w=321', 'w'],
    ['?w=0', 'w'],
    ['?w=3.2e2', 'w'],
    ['?w=', 'w'],
    ['?w=99999', 'w'],
    ['?type=gif', 'type'],
    ['?type=', 'type'],
    ['?maxSide=15', 'maxSide'],
    ['?maxSide=', 'maxSide'],
    ['?maxSide=1e3', 'maxSide'],
    ['?maxBytes=1999', 'maxBytes'],
    ['?maxBytes=1MB', 'maxBytes'],
    ['?tile=-1', 'tile'],
    ['?tile=', 'tile'],
    ['?tile=100', 'tile'],
    ['?tile=1e1', 'tile'],
    [`?tile=${'9'.repeat(400)}`, 'tile'],
  ])('rejects the variant %s', async (parameters, invalid) => {
    const response = await request(`${imageUrl}${parameters}`)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        status: 'fail',
        code: 'EINVALQUERY',
        data: { [invalid]: expect.stringMatching(/^must be (one of|a whole number from) /) },
      },
    ])
  })

  it('is a file of at most so many bytes', async () => {
    const variant = await bytesOf(await request(`${imageUrl}?maxBytes=3000`))
    expect(variant.byteLength).toBeLessThanOrEqual(3_000)
    expect((await sharp(variant).metadata()).format).toBe('jpeg')
  })

  it.each([
    ['?tile=1', 400, { code: 'EINVALQUERY', data: { tile: 'must be below 1, the number of tiles of the image' } }],
    ['?tile=3&maxSide=512', 400, { code: 'EINVALQUERY', data: { tile: expect.stringContaining('below 3') } }],
    ['?tile=0&maxSide=16', 422, { code: 'ETOOLARGE', data: { 'variant.maxSide': expect.any(String) } }],
  ])('has no tile %s', async (parameters, status, error) => {
    const response = await request(`${imageUrl}${parameters}`)
    expect([response.status, await response.json()]).toMatchObject([status, error])
  })

  it.each([
    `/images/${'0'.repeat(64)}.jpg`,
    `/images/${'0'.repeat(64)}.jpg?tile=0`,
    `/images/${'0'.repeat(64)}.jpg?w=320`,
    `/images/${'0'.repeat(64)}.jpg?maxSide=320`,
    '/images/',
    '/images/..%2f..%2fcache.db',
    `/images/${'0'.repeat(64)}.html`,
  ])('%s does not exist', async (path) => {
    const response = await request(`http://previews.test${path}`)
    expect([response.status, await response.json()]).toMatchObject([404, { status: 'fail', code: 'ENOTFOUND' }])
  })
})
