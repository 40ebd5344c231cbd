// Covers hosts that the operator denies: nothing of them is fetched or served.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService, type Service } from '../../src/server/index.js'
import { localSite, redirectTo, type LocalSite } from '../local-site.js'
import { startService } from '../shared/start-service.js'

let site: LocalSite
let folder: string
let service: Service
/** The same site by another name. */
let denied: string

beforeAll(async () => {
  site = await localSite({ '/': '<title>Page</title>', '/page': '<title>Denied</title>' })
  denied = `http://localhost:${new URL(site.url).port}`
  site.routes['/short'] = redirectTo(`${denied}/page`)
  folder = await mkdtemp(join(tmpdir(), 'page-preview-deny-'))
  await writeFile(join(folder, 'deny.txt'), '# nobody')
  const allowTargets = [site.host, new URL(denied).host]
  service = createService({ allowTargets, denyFile: join(folder, 'deny.txt') })
  await service.ready()
})
afterAll(async () => {
  await service.close()
  await site.close()
  await rm(folder, { recursive: true })
})

async function get(url: string, query: Record<string, string> = {}) {
  const parameters = new URLSearchParams({ url, ping: 'false', ...query })
  const response = await service.fetch(new Request(`http://previews.test/?${parameters}`))
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code ?? response.headers.get('x-cache-status')]
}

it('refuses a denied host, also behind a redirect and from the cache, and fetches nothing', async () => {
  for (const url of [`${denied}/page`, `${site.url}/short`, `${site.url}/`])
    expect(await get(url)).toEqual([200, 'MISS'])
  expect(await get(`${site.url}/short`, { filter: 'title' })).toEqual([200, 'HIT'])

  await writeFile(join(folder, 'deny.txt'), 'localhost # asked to be taken out')
  await expect
    .poll(() => get(`${denied}/page`, { filter: 'title' }), { timeout: 10_000 })
    .toEqual([403, 'EFORBIDDENURL'])
  const before = site.requests.length
  expect(await get(`${site.url}/short`, { filter: 'url' })).toEqual([403, 'EFORBIDDENURL'])
  expect(await get(`${denied}/new`, { screenshot: 'true' })).toEqual([403, 'EFORBIDDENURL'])
  expect(await get(`${site.url}/`, { filter: 'url' })).toEqual([200, 'HIT'])
  expect(site.requests.slice(before)).toEqual([])
  expect(await get(`${site.url}/short?new`)).toEqual([403, 'EFORBIDDENURL'])
  expect(site.requests.slice(before)).toEqual(['GET /short?new'])
})

it('serves no denied host from memory, however often it is requested', async () => {
  const file = join(folder, 'denied-later.txt')
  await writeFile(file, '# nobody')
  const serving = await startService(`--allow-target=${new URL(denied).host}`, `--deny-file=${file}`)
  try {
    const page = `${serving.free}/?${new URLSearchParams({ url: `${denied}/page`, ping: 'false' })}`
    const status = async () => (await fetch(page)).status
    expect([await status(), await status(), await status()]).toEqual([200, 200, 200])
    await writeFile(file, 'localhost')
    await expect.poll(status, { timeout: 10_000 }).toBe(403)
    expect(await Promise.all(Array.from({ length: 5 }, status))).toEqual([403, 403, 403, 403, 403])
  } finally {
    await serving.stop()
  }
})
