// Covers a purge on the admin port of one of two built instances, and a takedown by the owner of a page: what both serve and write into
// their log afterwards.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startRedis, type TestRedis } from '../shared/start-redis.js'
import { timeWithoutPauses } from '../shared/time-without-pauses.js'
import { startInstance, type Instance } from './start-instance.js'

let site: LocalSite
let redis: TestRedis
let bucket: TestBucket
let instances: Instance[]

beforeAll(async () => {
  ;[redis, bucket, site] = await Promise.all([startRedis(), startBucket(), localSite({ '/': '<title>Page</title>' })])
  const flags = [`--redis=${redis.freshUrl()}`, `--s3=${bucket.freshUrl()}`, `--allow-target=${site.host}`]
  const options = {
    flags: [...flags, '--admin-port=0'],
    env: { PAGE_PREVIEW_SIGNING_SECRET: 'a secret that both instances of this test share' },
  }
  instances = await Promise.all([startInstance(options), startInstance(options)])
})
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()))
  await Promise.all([redis.close(), bucket.close(), site.close()])
})

const adminOf = (instance: Instance) => /admin=(\S+)/.exec(instance.log())![1]!

it('takes the page, its image and its variants from both, and is a line in the log of each', async () => {
  const [one, two] = instances as [Instance, Instance]
  const url = `${site.url}/?token=hush`
  const query = { url, screenshot: 'true', meta: 'false' }
  const { data } = (await (await one.get(query)).json()) as PageResponse
  const { pathname } = new URL(data.screenshot!.url)
  const paths = [pathname, `${pathname}?w=320`]
  const statuses = async () => {
    const responses = instances.flatMap((instance) => paths.map((path) => fetch(instance.url + path)))
    return [...new Set((await Promise.all(responses)).map(({ status }) => status))]
  }
  expect(await statuses()).toEqual([200])
  expect((await two.get(query)).headers.get('x-cache-status')).toBe('HIT')

  const purged = await fetch(`${adminOf(one)}/cache?${new URLSearchParams({ url })}`, { method: 'DELETE' })
  expect(purged.status).toBe(200)
  const ms = await timeWithoutPauses(two.url, async () => expect.poll(statuses).toEqual([404]))
  expect(ms).toBeLessThan(1_000)
  for (const instance of instances) {
    const lines = instance.events().filter(({ event }) => event === 'purged')
    expect(lines).toEqual([expect.objectContaining({ scope: 'page', targetHost: '127.0.0.1' })])
    expect(instance.log()).not.toContain('hush')
  }
  expect((await two.get(query)).headers.get('x-cache-status')).toBe('MISS')
})

it('takes a page from both whose owner wants that, with its image', async () => {
  const [one, two] = instances as [Instance, Instance]
  const url = `${site.url}/owned`
  site.routes['/owned'] = '<title>Owned</title>'
  const query = { url, screenshot: 'true' }
  const { data } = (await (await one.get(query)).json()) as PageResponse
  const { pathname } = new URL(data.screenshot!.url)
  const takedown = async (parameters: Record<string, string> = {}) => {
    const search = new URLSearchParams({ url, ...parameters })
    const response = await fetch(`${two.url}/owners/takedown?${search}`, { method: 'POST' })
    return { status: response.status, body: (await response.json()) as { data: { nonce: string; meta: string } } }
  }
  const { nonce, meta } = (await takedown()).body.data
  expect((await takedown({ nonce })).status).toBe(403)
  expect((await one.get(query)).headers.get('x-cache-status')).toBe('HIT')
  site.routes['/owned'] = `<title>Owned</title>${meta}`
  expect((await takedown({ nonce })).status).toBe(200)
  const statuses = async () => {
    const responses = instances.flatMap((instance) => [instance.get(query), fetch(instance.url + pathname)])
    return (await Promise.all(responses)).map(({ status }) => status)
  }
  const ms = await timeWithoutPauses(one.url, async () => expect.poll(statuses).toEqual([410, 404, 410, 404]))
  expect(ms).toBeLessThan(1_000)
  expect(two.events().filter(({ event }) => event === 'owner-request')).toEqual([
    expect.objectContaining({ action: 'takedown', targetHost: site.host, outcome: 'EAUTH' }),
    expect.objectContaining({ action: 'takedown', targetHost: site.host, outcome: 'done' }),
  ])
  expect(one.log() + two.log()).not.toContain(nonce)
})
