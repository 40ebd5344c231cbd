// Covers who pays for variants of images: the API key of a request, also of a site's proxy, else the network address.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../../src/client/index.js'
import { createProxy } from '../../../src/proxy/index.js'
import { createService, openKeys, type Keys, type Service } from '../../../src/server/index.js'
import type { ApiKeyLimits } from '../../../src/server/store/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

const FREE_DAILY_LIMIT = 2
const WIDTHS = [320, 640, 960, 1280] as const
const PRO = 'http://pro.test'

let site: LocalSite
let service: Service
let keys: Keys
let dataDir: string
let now = Date.now()
let addresses = 0
let images = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-variants-'))
  site = await localSite({
    '/': (request, response) => {
      const { search } = new URL(request.url!, site.url)
      const image = `<meta property="og:image" content="${site.url}/image${search}">`
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>A page</title>${image}`)
    },
    '/image': (_, response) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
      const pixels = sharp({ create: { width: 1_300, height: 64, channels: 3, background: '#000', noise } })
      pixels.png().pipe(response.writeHead(200, { 'content-type': 'image/png' }))
    },
  })
  service = createService({
    dataDir,
    allowTargets: [site.host],
    freeDailyLimit: FREE_DAILY_LIMIT,
    signingSecret: 's'.repeat(32),
    clock: () => now,
  })
  await service.ready()
  keys = await openKeys({ dataDir, signingSecret: 's'.repeat(32) })
})
afterAll(async () => {
  await keys.close()
  await service.close()
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

const createKey = async (limits: ApiKeyLimits = {}) => keys.create('A site', limits)
/** An address that has used nothing of its daily limit. */
const freshAddress = () => `198.51.100.${++addresses}`
/** A page whose image has no variant yet. */
const freshPage = () => `${site.url}/?${++images}`
const usageOf = async (id: string) => Object.values(await keys.usage(id)).reduce((sum, count) => sum + count, 0)

const send = (url: string, { address, key, plan = 'pro' }: { address: string; key?: string; plan?: 'free' | 'pro' }) =>
  service.fetch(new Request(url, { headers: key ? { 'x-api-key': key } : {} }), { peerAddress: address, plan })

/** The path of a stored image without variants; it is stored on behalf of a key that has no limits. */
async function storedImage(): Promise<string> {
  const { key } = await createKey()
  const parameters = new URLSearchParams({ url: freshPage(), embed: 'image.url' })
  const response = await send(`${PRO}/?${parameters}`, { address: freshAddress(), key })
  return `/images/${createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')}.png`
}

/** The proxy of a site: all its visitors have the address of its server. */
function proxyOf(key: string, address: string) {
  const proxy = createProxy({
    endpoint: PRO,
    apiKey: key,
    allow: { targets: ['*'] },
    fetch: (url, init) => service.fetch(new Request(url, init), { peerAddress: address, plan: 'pro' }),
  })
  return (path: string) => proxy(new Request(`https://site.test/page-preview${path}`))
}

const statusesOf = async (responses: readonly Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status)
const inTurn = async (requests: readonly (() => Promise<Response>)[]) => {
  const statuses: number[] = []
  for (const request of requests) statuses.push((await request()).status)
  return statuses
}

describe('a variant', () => {
  it('through a proxy counts for its key, and not for the address of its server', async () => {
    const address = freshAddress()
    const { key, id } = await createKey()
    const request = proxyOf(key, address)
    const image = await storedImage()
    expect(await inTurn(WIDTHS.map((width) => () => request(`${image}?w=${width}`)))).toEqual([200, 200, 200, 200])
    expect(await usageOf(id)).toBe(WIDTHS.length)
    expect((await request(`${image}?w=320`)).status).toBe(200)
    expect(await usageOf(id)).toBe(WIDTHS.length)
    // Somebody without a key at the same address still has the whole daily limit.
    const other = await storedImage()
    const anonymous = (width: number) => () => send(`${PRO}${other}?w=${width}`, { address, plan: 'free' })
    expect(await inTurn([320, 640, 960].map(anonymous))).toEqual([200, 200, 429])
  })

  it('within limits counts once for limits that are nearly the same, and not if the image is within them', async () => {
    const { key, id } = await createKey()
    const request = proxyOf(key, freshAddress())
    const image = await storedImage()
    const searches = [
      'maxSide=999',
      'maxSide=992',
      'maxSide=65500',
      'maxBytes=25000000',
      'maxSide=1300',
      'maxBytes=2000',
      // The whole image, and twice the same part of it.
      'tile=0&maxSide=65500',
      'tile=1&maxSide=512',
      'tile=1&maxSide=513',
    ]
    expect(await inTurn(searches.map((search) => () => request(`${image}?${search}`)))).toEqual(searches.map(() => 200))
    expect(await usageOf(id)).toBe(3)
  })

  it('that is embedded counts for the key too', async () => {
    const address = freshAddress()
    const { key, id } = await createKey()
    const request = proxyOf(key, address)
    const url = freshPage()
    const embed = (width: number) =>
      request(`?${new URLSearchParams({ url, embed: 'image.url', 'variant.width': String(width) })}`)
    expect(await inTurn(WIDTHS.map((width) => () => embed(width)))).toEqual([200, 200, 200, 200])
    // The page with its image and first variant, then each other variant.
    expect(await usageOf(id)).toBe(WIDTHS.length)
  })

  it('in a signed URL counts for the key that signed it', async () => {
    const address = freshAddress()
    const { key, id } = await createKey()
    const url = freshPage()
    const urls = WIDTHS.map((width) =>
      signedUrl({ url, embed: 'image.url', variant: { width } }, { endpoint: { pro: PRO }, apiKey: key }),
    )
    expect(await inTurn((await Promise.all(urls)).map((signed) => () => send(signed, { address })))).toEqual([
      200, 200, 200, 200,
    ])
    expect(await usageOf(id)).toBe(WIDTHS.length)
  })

  it('beyond the daily limit of a key is refused, and the visitors of another site behind the same address have theirs', async () => {
    const address = freshAddress()
    const [mine, theirs] = [await createKey({ dailyLimit: 2 }), await createKey({ dailyLimit: 2 })]
    const [request, requestOfOthers] = [proxyOf(mine.key, address), proxyOf(theirs.key, address)]
    const [image, imageOfOthers] = [await storedImage(), await storedImage()]
    expect(await inTurn(WIDTHS.map((width) => () => request(`${image}?w=${width}`)))).toEqual([200, 200, 429, 429])
    expect(await inTurn([320, 640].map((width) => () => requestOfOthers(`${imageOfOthers}?w=${width}`)))).toEqual([
      200, 200,
    ])
    expect((await request(image)).status).toBe(200)
    expect((await request(`${image}?w=320`)).status).toBe(200)
  })

  it('does not take one of the requests that a key may have at the same time, because a page loads many images at once', async () => {
    const { key } = await createKey({ concurrency: 1 })
    const request = proxyOf(key, freshAddress())
    const image = await storedImage()
    expect(await statusesOf(WIDTHS.map((width) => request(`${image}?w=${width}`)))).toEqual([200, 200, 200, 200])
  })

  it.each<[string, () => Promise<{ key?: string; plan?: 'free' | 'pro' }>]>([
    ['without a key', async () => ({})],
    ['with an unknown key', async () => ({ key: `pp_0123456789ab_${'x'.repeat(43)}` })],
    ['with a text that is no key', async () => ({ key: 'secret' })],
    ['with an expired key', async () => ({ key: (await createKey({ expiresAt: now - 1 })).key })],
    [
      'with a revoked key',
      async () => {
        const { key, id } = await createKey()
        await keys.revoke(id)
        return { key }
      },
    ],
    ['with a key on the free host', async () => ({ key: (await createKey()).key, plan: 'free' })],
  ])('%s counts for the address, and needs no key', async (_, optionsOf) => {
    const options = { address: freshAddress(), ...(await optionsOf()) }
    const image = await storedImage()
    const request = (width: number) => () => send(`${PRO}${image}?w=${width}`, options)
    expect(await inTurn(WIDTHS.map(request))).toEqual([200, 200, 429, 429])
  })
})
