// Covers the built service while its disk is full, alone and with a bucket; `full-disk.test.ts` covers how its store starts then.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { fillSmallDisk, withSmallDisk } from '../drills/small-disk.js'
import { localSite, type LocalSite } from '../local-site.js'
import { startBucket, type TestBucket } from '../shared/start-bucket.js'
import { startInstance, type Instance } from './start-instance.js'

describe.each(['alone', 'with a bucket'])('on a full disk %s', (how) => {
  let site: LocalSite
  let bucket: TestBucket
  let s3: string
  let folder: string
  let service: Instance

  beforeAll(async () => {
    ;[site, bucket] = await Promise.all([localSite({ '/': '<title>Page</title><body>Page' }), startBucket()])
    s3 = bucket.freshUrl()
    folder = await mkdtemp(join(tmpdir(), 'page-preview-full-'))
    const dataDir = join(folder, 'data')
    service = await startInstance({
      flags: [`--allow-target=${site.host}`, ...(how === 'alone' ? [] : [`--s3=${s3}`])],
      dataDir,
      within: withSmallDisk(dataDir),
    })
  }, 60_000)
  afterAll(async () => {
    await service.stop()
    await Promise.all([site.close(), bucket.close(), rm(folder, { recursive: true, force: true })])
  })

  const capture = async (path: string, query: Record<string, string> = {}) => {
    const response = await service.get({ url: site.url + path, screenshot: 'true', meta: 'false', ...query })
    const { data } = (await response.json()) as PageResponse
    const image = await fetch(service.url + new URL(data.screenshot!.url).pathname)
    const bytes = (await image.arrayBuffer()).byteLength
    expect([response.status, image.status, bytes]).toEqual([200, 200, data.screenshot!.size])
    return { cache: response.headers.get('x-cache-status'), name: new URL(data.screenshot!.url).pathname.slice(8) }
  }
  const ready = async () => {
    const response = await fetch(`${service.url}/readyz`)
    const { storeWritable } = (await response.json()) as { storeWritable: boolean }
    return { status: response.status, storeWritable }
  }
  const events = () => service.events().map(({ event }) => event)

  it('serves results and images from memory, says so, and stores again when there is room', async () => {
    expect(await capture('/?before')).toMatchObject({ cache: 'MISS' })
    const makeRoom = fillSmallDisk(service)
    expect(await capture('/?before', { filter: 'screenshot' })).toMatchObject({ cache: 'HIT' })
    const { cache, name } = await capture('/?full')
    expect(cache).toBe('MISS')
    expect(await capture('/?full', { filter: 'screenshot' })).toMatchObject({ cache: 'HIT' })
    if (how === 'with a bucket') expect(await bucket.images(s3)).toContain(name)
    expect(await ready()).toEqual({ status: 200, storeWritable: false })
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('\npage_preview_store_writable 0\n')
    expect(events()).toContain('store-not-writable')

    makeRoom()
    await capture('/?room')
    await expect.poll(ready).toEqual({ status: 200, storeWritable: true })
    await expect.poll(events).toContain('store-writable')
    expect(service.log()).not.toContain('EFATAL')
  })
})
