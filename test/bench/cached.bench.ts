import autocannon from 'autocannon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBareServer, startBuiltService, type Child } from './children.js'

/** Requests per second, measured in alternating rounds, so that other load on the machine affects both alike. */
async function requestsPerSecond(urls: readonly string[], { rounds = 4, seconds = 3 } = {}): Promise<number[]> {
  const sums = urls.map(() => 0)
  for (let round = 0; round < rounds; round++)
    for (const [at, url] of urls.entries()) {
      const { requests, non2xx, errors } = await autocannon({ url, connections: 20, duration: seconds })
      expect({ non2xx, errors }).toEqual({ non2xx: 0, errors: 0 })
      sums[at]! += requests.average / rounds
    }
  return sums
}

describe('a cached response, compared with a bare node:http server that sends the same bytes', () => {
  let service: Child
  const bare: Child[] = []
  beforeAll(async () => {
    service = await startBuiltService()
  })
  afterAll(async () => {
    await Promise.all([service, ...bare].map((child) => child.stop()))
  })

  it.each([
    ['JSON', '/?screenshot=true&url='],
    ['image', '/?viewport.deviceScaleFactor=1&screenshot.quality=20&embed=screenshot.url&url='],
  ])('%s', async (name, path) => {
    const url = `${service.url}${path}${encodeURIComponent(`${service.demo}/`)}`
    const first = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    const bytes = new Uint8Array(await first.arrayBuffer())
    const reference = await startBareServer(bytes, Object.fromEntries(first.headers))
    bare.push(reference)
    await requestsPerSecond([reference.url, url], { rounds: 1, seconds: 2 })
    const [plain, ours] = (await requestsPerSecond([reference.url, url])) as [number, number]
    console.log(
      `cached ${name}, ${bytes.byteLength} bytes: bare ${plain.toFixed(0)}/s, service ${ours.toFixed(0)}/s, ratio ${(ours / plain).toFixed(2)}`,
    )
    expect(ours / plain).toBeGreaterThanOrEqual(0.75)
  })
})
