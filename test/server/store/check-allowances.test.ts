// Covers results that needed an allowance of the network guard, from a service to the next one on the same store.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createService } from '../../../src/server/index.js'
import { localSite, type LocalSite } from '../../local-site.js'

let dataDir: string
let site: LocalSite
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-allowances-'))
  site = await localSite({
    '/': '<title>An internal page</title><h1>Internal</h1>',
    '/first': '<title>First</title>',
    '/second': '<title>Second</title>',
  })
})
afterAll(async () => {
  await site.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Status and cache status of each query, by a service of its own. */
async function requestEach(allowTargets: string[], ...queries: Record<string, string>[]) {
  const service = createService({ dataDir, allowTargets })
  try {
    const responses: [number, string | null][] = []
    for (const query of queries) {
      const response = await service.fetch(new Request(`http://previews.test/?${new URLSearchParams(query)}`))
      await response.arrayBuffer()
      responses.push([response.status, response.headers.get('x-cache-status')])
    }
    return responses
  } finally {
    await service.close()
  }
}

it('serves a result of an allowed target only while the target is allowed', async () => {
  const queries: Record<string, string>[] = [
    { url: `${site.url}/` },
    { url: `${site.url}/`, screenshot: 'true', meta: 'false' },
  ]
  expect(await requestEach([site.host], ...queries)).toEqual([
    [200, 'MISS'],
    [200, 'MISS'],
  ])
  expect((await requestEach([], ...queries)).map(([status]) => status)).toEqual([403, 403])
  expect(await requestEach([site.host], ...queries)).toEqual([
    [200, 'HIT'],
    [200, 'HIT'],
  ])
  expect(await requestEach([new URL(site.url).hostname], queries[0]!)).toEqual([[200, 'HIT']])
})

it('remembers the allowance also for a request on a connection that is kept alive', async () => {
  const queries = [{ url: `${site.url}/first` }, { url: `${site.url}/second` }]
  await requestEach([site.host], ...queries)
  expect((await requestEach([], ...queries)).map(([status]) => status)).toEqual([403, 403])
})
