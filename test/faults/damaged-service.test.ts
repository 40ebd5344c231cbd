// Covers the built service on a data folder that is damaged while it runs, or before it starts.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openKeys } from '../../src/server/index.js'
import type { PageResponse } from '../../src/query/index.js'
import { localSite } from '../local-site.js'
import { startInstance, type Instance } from './start-instance.js'

/** A capture included, on a busy machine. */
const MAX_RESPONSE_MS = 15_000

async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'page-preview-damaged-'))
  const site = await localSite({ '/': '<title>Page</title><body style="background:teal">' })
  const key = await createKey(dataDir)
  const start = () => startInstance({ dataDir, flags: [`--allow-target=${site.host}`] })
  let service = await start()
  onTestFinished(async () => {
    await service.stop()
    await Promise.all([site.close(), rm(dataDir, { recursive: true, force: true })])
  })
  return {
    dataDir,
    key,
    query: { url: `${site.url}/`, screenshot: 'true', meta: 'false' },
    current: () => service,
    restart: async (whileStopped: () => void) => {
      await service.stop()
      whileStopped()
      service = await start()
    },
  }
}

async function createKey(dataDir: string): Promise<string> {
  const keys = await openKeys({ dataDir })
  const { key } = await keys.create('Shop')
  await keys.close()
  return key
}

/** JSON, the image that it names, and the embedded image; all of them as a visitor needs them. */
async function expectServed(service: Instance, query: Record<string, string>): Promise<void> {
  const startedAt = performance.now()
  const response = await service.get(query)
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as PageResponse
  const { size, url } = data.screenshot!
  const image = await fetch(service.url + new URL(url).pathname)
  expect([image.status, (await image.arrayBuffer()).byteLength]).toEqual([200, size])
  const embedded = await service.get({ ...query, embed: 'screenshot.url' })
  expect([embedded.status, (await embedded.arrayBuffer()).byteLength]).toEqual([200, size])
  expect(performance.now() - startedAt).toBeLessThan(MAX_RESPONSE_MS)
}

const proStatus = async (service: Instance, key: string, url: string) =>
  (await fetch(`${service.proUrl}/?${new URLSearchParams({ url })}`, { headers: { 'x-api-key': key } })).status

const filesIn = (dataDir: string) =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDir, name))
    .filter((path) => statSync(path).isFile())
const imagesIn = (dataDir: string) => filesIn(join(dataDir, 'images'))
const cutInHalf = (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))

it('goes on when its folder is removed while it runs, and accepts its keys', async () => {
  const { dataDir, key, query, current } = await setUp()
  const service = current()
  await expectServed(service, query)
  const readSecret = () => readFileSync(join(dataDir, 'signing-secret'), 'utf8')
  const secret = readSecret()
  rmSync(dataDir, { recursive: true })
  // Not from the in-memory response cache.
  const embedded = await service.get({ ...query, embed: 'screenshot.url', filter: 'screenshot' })
  expect([embedded.status, embedded.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const events = () => service.events().map(({ event }) => event)
  await expect.poll(events).toContain('store-damaged')
  await expectServed(service, query)
  await expectServed(service, { ...query, url: `${query.url}?new` })
  expect(await proStatus(service, key, query.url)).toBe(200)
  expect(imagesIn(dataDir)).not.toEqual([])
  expect(readSecret()).toBe(secret)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})

it('captures again what was in files that are cut while it runs', async () => {
  const { dataDir, query, current } = await setUp()
  const service = current()
  await expectServed(service, query)
  for (const path of imagesIn(dataDir)) cutInHalf(path)
  const embedded = await service.get({ ...query, embed: 'screenshot.url', filter: 'screenshot' })
  expect([embedded.status, embedded.headers.get('x-cache-status')]).toEqual([200, 'MISS'])
  await expectServed(service, { ...query, filter: 'screenshot' })
})

it.each<[string, (path: string) => void]>([
  ['cut in half', cutInHalf],
  ['emptied', (path) => truncateSync(path, 0)],
  ['overwritten', (path) => writeFileSync(path, randomBytes(statSync(path).size))],
])('goes on when every file was %s while it runs, and accepts its keys', async (_, damage) => {
  const { dataDir, key, query, current } = await setUp()
  const service = current()
  await expectServed(service, query)
  for (const path of filesIn(dataDir)) damage(path)
  await expectServed(service, { ...query, url: `${query.url}?new` })
  await expectServed(service, { ...query, filter: 'screenshot' })
  expect(await proStatus(service, key, query.url)).toBe(200)
  const ready = await fetch(`${service.url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([200, { store: true, storeWritable: true }])
  expect(service.events()).toContainEqual(expect.objectContaining({ event: 'store-damaged' }))
  expect(service.log()).not.toContain('EFATAL')
})

it('starts again after every file was cut in half while it is stopped', async () => {
  const { dataDir, key, query, current, restart } = await setUp()
  await expectServed(current(), query)
  await restart(() => filesIn(dataDir).forEach(cutInHalf))
  const events = current()
    .events()
    .map(({ event }) => event)
  expect(events).toEqual(expect.arrayContaining(['store-damaged', 'signing-secret-damaged']))
  expect(readdirSync(dataDir).filter((name) => name.includes('.damaged-'))).not.toEqual([])
  await expectServed(current(), query)
  // The only key was in the half that is gone, or it was not.
  expect([200, 403]).toContain(await proStatus(current(), key, query.url))
})
