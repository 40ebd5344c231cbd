// Covers the share of the store that the results of one client may have.
import { expect, it, onTestFinished } from 'vitest'
import { createService } from '../../../src/server/index.js'
import { localSite } from '../../local-site.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYw+3BgQAAAADDoPlT3+AEVQEAAAB8AxBAAAEZszF2AAAAAElFTkSuQmCC',
  'base64',
)
const IMAGE_BYTES = 1_000_000
const STORE_BYTES = 20_000_000
const INNOCENT = '203.0.113.1'

it.each([
  ['an IPv4 address', () => '192.0.2.66'],
  ['the networks of a /48', (n: number) => `2001:db8:1:${(n + 1).toString(16)}00::/64`],
])('a client with %s that fills the store does not evict what others have', async (_, attackerOf) => {
  let images = 0
  const site = await localSite({
    '/': '<title>Page</title><meta property="og:image" content="/image.png">',
    '/image.png': (_, response) => {
      const bytes = Buffer.alloc(IMAGE_BYTES)
      bytes.set(PNG)
      bytes.writeUInt32LE(images++, IMAGE_BYTES - 4)
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
    },
  })
  const service = createService({ storeMaxBytes: STORE_BYTES, allowTargets: [site.host], trustProxy: 0 })
  onTestFinished(async () => {
    await service.close()
    await site.close()
  })
  const get = async (page: string, client: string) => {
    const query = new URLSearchParams({ url: `${site.url}/?${page}`, ping: 'false' })
    const request = new Request(`http://previews.test/?${query}&embed=image.url`)
    const response = await service.fetch(request, { peerAddress: client.replace('/64', '1') })
    await response.arrayBuffer()
    return response
  }
  const statusOf = async (page: string) => (await get(page, INNOCENT)).headers.get('x-cache-status')
  const pages = ['one', 'two', 'three']
  for (const page of pages) await get(page, INNOCENT)
  for (let n = 0; n < 30; n++) {
    // Media files at the same URL are one file, so the pages need different images.
    site.routes['/'] = `<title>Page</title><meta property="og:image" content="/image.png?${n}">`
    expect((await get(`attack${n}`, attackerOf(n))).status).toBe(200)
  }
  for (const page of pages) expect(await statusOf(page), page).toBe('HIT')
})
