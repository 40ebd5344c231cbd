// Covers what site owners request from one of two instances that share a Redis, and what both serve afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService, type Service, type ServiceOptions } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { hasRedis, startRedis, type TestRedis } from '../../shared/start-redis.js'

interface OwnerResponse {
  status: string
  code?: string
  data: { nonce: string; meta: string; title: string; state?: string }
}

describe.skipIf(!hasRedis)('two instances on one Redis', () => {
  let redis: TestRedis
  let site: LocalSite
  let instances: Service[]
  let options: ServiceOptions

  beforeAll(async () => {
    redis = await startRedis()
    site = await localSite({})
    options = { redis: redis.freshUrl(), allowTargets: [site.host] }
    instances = [createService(options), createService(options)]
    await Promise.all(instances.map((instance) => instance.ready()))
  })
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()))
    await Promise.all([redis.close(), site.close()])
  })

  const send = async (instance: Service, path: string, parameters: Record<string, string>, method = 'GET') => {
    const query = new URLSearchParams(parameters)
    const response = await instance.fetch(new Request(`http://previews.test${path}?${query}`, { method }))
    return { ...((await response.json()) as OwnerResponse), cache: response.headers.get('x-cache-status') }
  }
  const read = (instance: Service, url: string) => send(instance, '/', { url })

  it('take the nonce of each other, and both forget the page within a second', async () => {
    const [one, two] = instances as [Service, Service]
    const url = `${site.url}/news`
    site.routes['/news'] = '<title>Before</title>'
    // The second response of each is in its memory.
    for (const instance of [one, two, one, two]) expect((await read(instance, url)).data.title).toBe('Before')
    const { data } = await send(one, '/owners/refresh', { url }, 'POST')
    site.routes['/news'] = `<title>After</title>${data.meta}`
    expect((await read(two, url)).cache).toBe('HIT')
    expect(await send(two, '/owners/refresh', { url, nonce: data.nonce }, 'POST')).toMatchObject({
      status: 'success',
      data: { entries: 1 },
    })
    const titles = async () => Promise.all(instances.map(async (each) => (await read(each, url)).data.title))
    await expect.poll(titles, { timeout: 1_000, interval: 20 }).toEqual(['After', 'After'])
  })

  it('take a page down together, and show it again together', async () => {
    const [one, two] = instances as [Service, Service]
    const url = `${site.url}/removed`
    site.routes['/removed'] = '<title>Before</title>'
    for (const instance of [one, two, one, two]) await read(instance, url)
    const { data } = await send(one, '/owners/takedown', { url }, 'POST')
    site.routes['/removed'] = `<title>After</title>${data.meta}`
    await send(one, '/owners/takedown', { url, nonce: data.nonce }, 'POST')
    const codes = async () => Promise.all(instances.map(async (each) => (await read(each, url)).code))
    await expect.poll(codes, { timeout: 1_000, interval: 20 }).toEqual(['EREMOVED', 'EREMOVED'])
    const later = createService({
      ...options,
      clock: () => Date.now() + 3_600_000,
    })
    expect((await read(later, url)).code).toBe('EREMOVED')
    await later.close()
    expect(await codes()).toEqual(['EREMOVED', 'EREMOVED'])
  })

  it('both obey a page that opts out', async () => {
    const [one, two] = instances as [Service, Service]
    const url = `${site.url}/members`
    site.routes['/members'] = '<meta name="page-preview" content="none"><title>Members</title>'
    expect((await read(one, url)).data).toMatchObject({ title: null, state: 'opted-out' })
    expect(await read(two, url)).toMatchObject({ cache: 'HIT', data: { title: null, state: 'opted-out' } })
  })
})
