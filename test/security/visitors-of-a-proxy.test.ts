// Covers one visitor of a site with `page-preview/proxy`, against the built service: others keep their limits.
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProxy } from '../../src/proxy/index.js'
import { openKeys, type Keys } from '../../src/server/index.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const IMAGES = 4
const WIDTHS = [320, 640, 960, 1280]
/** The server of the site, through which all its visitors reach the service. */
const SITE_ADDRESS = '192.0.2.10'

let service: AttackedService
let keys: Keys
beforeAll(async () => {
  service = await startAttackedService(
    {
      '/page': (request, response) => {
        const image = `<meta property="og:image" content="/noise.png${new URL(request.url!, 'http://x').search}">`
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>A page</title>${image}`)
      },
      '/noise.png': (_, response) => {
        const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
        sharp({ create: { width: 1_300, height: 64, channels: 3, background: '#000', noise } })
          .png()
          .pipe(response.writeHead(200, { 'content-type': 'image/png' }))
      },
    },
    ['--trust-proxy=1'],
  )
  keys = await openKeys({ dataDir: service.dataDir })
})
afterAll(async () => {
  await keys.close()
  await service.stop()
})

/** The proxy of a site on the server with `SITE_ADDRESS`. */
async function siteWithKey(dailyLimit: number) {
  const { key } = await keys.create('A site', { dailyLimit })
  const proxy = createProxy({
    endpoint: service.proUrl,
    apiKey: key,
    allow: { targets: ['*'] },
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', SITE_ADDRESS)
      return fetch(url, { ...init, headers })
    },
  })
  const visit = async (path: string) => {
    const response = await proxy(new Request(`https://site.test/page-preview${path}`))
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  return {
    visit,
    /** The path of a stored image without variants. */
    async storedImage(name: string) {
      const query = new URLSearchParams({ url: `${service.site.url}/page?${name}`, embed: 'image.url' })
      const { status, bytes } = await visit(`?${query}`)
      expect(status).toBe(200)
      return `/images/${createHash('sha256').update(bytes).digest('hex')}.png`
    },
  }
}
/** What somebody without a key at the address of the site has left. */
async function remainingOfAddress(): Promise<number> {
  const query = { url: `${service.site.url}/page?anonymous` }
  const response = await service.get(query, { headers: { 'x-forwarded-for': SITE_ADDRESS } })
  expect(response.status).toBe(200)
  return Number(response.headers.get('x-rate-limit-remaining'))
}

it('one visitor uses up the variants of neither another site nor the address of the server', async () => {
  const variants = IMAGES * WIDTHS.length
  const [attacked, innocent] = [await siteWithKey(IMAGES + variants / 2), await siteWithKey(1 + WIDTHS.length)]
  const ofInnocent = await innocent.storedImage('innocent')
  const images: string[] = []
  for (let n = 0; n < IMAGES; n++) images.push(await attacked.storedImage(`attacked${n}`))
  const remaining = await remainingOfAddress()
  const statuses: number[] = []
  const report = await service.attack('all variants of the images of a proxy', async () => {
    for (const image of images)
      for (const width of WIDTHS) statuses.push((await attacked.visit(`${image}?w=${width}`)).status)
  })
  expectContained(report)
  // The attacked site has what its own key allows, and no more.
  expect(statuses.map((status) => status === 200)).toEqual(statuses.map((_, n) => n < variants / 2))
  for (const width of WIDTHS) expect((await innocent.visit(`${ofInnocent}?w=${width}`)).status).toBe(200)
  expect(await remainingOfAddress()).toBe(remaining)
})
