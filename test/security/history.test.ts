// Covers what a page, or a caller, could do with the history of pages, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import { openKeys, type Keys } from '../../src/server/index.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const LONG = 'x'.repeat(5_000)
let visits = 0

/** Another one at each visit, with more parts than are compared, and longer names than are kept. */
const everChanging = () => {
  visits++
  const rows = Array.from(
    { length: 3_000 },
    (_, at) =>
      `<div id="${at}-${visits}-${LONG.slice(0, 200)}" class="${LONG.slice(0, 300)}">${visits} ${at} ${LONG.slice(0, 100)}</div>`,
  )
  return `<!doctype html><title>${visits} ${LONG}</title><style>div{float:left;width:60px;height:12px;overflow:hidden;font-size:9px}</style>${rows.join('')}`
}

/** Replaces what scripts of the service could use, and lies about itself. */
const HOSTILE = `<!doctype html><title>Hostile</title><h1>Hostile</h1><p id="&lt;img src=x onerror=alert(1)&gt;">\u202etext</p><script>
  const loud = () => { throw new Error('loud') }
  for (const name of ['getBoundingClientRect', 'getAttribute', 'matches', 'closest', 'getClientRects']) Element.prototype[name] = loud
  Object.defineProperty(Node.prototype, 'textContent', { get: loud })
  Object.defineProperty(Element.prototype, 'id', { get: loud })
  Array.prototype.map = Array.prototype.push = loud
  JSON.stringify = loud
  window.Date = class { constructor() { loud() } }
</script>`

let service: AttackedService
let keys: Keys
beforeAll(async () => {
  service = await startAttackedService({
    '/ever-changing': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(everChanging()),
    '/hostile': HOSTILE,
    '/page': '<!doctype html><title>A page</title><h1>A page</h1>',
  })
  keys = await openKeys({ dataDir: service.dataDir })
})
afterAll(async () => {
  await keys.close()
  await service.stop()
})

async function capture(key: string, path: string, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams({ url: service.site.url + path, history: '20', force: 'true', ...parameters })
  const response = await fetch(`${service.proUrl}?${query}`, { headers: { 'x-api-key': key } })
  const text = await response.text()
  return { status: response.status, text, page: JSON.parse(text) as PageResponse }
}

it('nobody without a key keeps or reads a history', async () => {
  const response = await service.get({ url: `${service.site.url}/page`, history: '1' })
  expect(response.status).toBe(401)
  expect((await fetch(`${service.proUrl}?url=${service.site.url}/page&history=1`)).status).toBe(401)
})

it('a key learns nothing of what another one has captured', async () => {
  const [{ key: one }, { key: other }] = [await keys.create('One'), await keys.create('Other')]
  const first = await capture(one, '/page')
  const own = await capture(one, '/page', { force: 'false' })
  const foreign = await capture(other, '/page', { force: 'false' })
  const sinceOf = ({ page }: typeof first) => page.data.history!.versions[0]!.since
  expect(sinceOf(own)).toBe(sinceOf(first))
  expect(sinceOf(foreign) > sinceOf(first)).toBe(true)
})

it('a key pays for each capture that a changing page causes', async () => {
  const { key } = await keys.create('Limited', { dailyLimit: 2 })
  await capture(key, '/ever-changing')
  const before = visits
  const { status, page } = await capture(key, '/ever-changing')
  expect(status).toBe(429)
  expect(page).toMatchObject({ code: 'ERATE' })
  expect(visits).toBe(before)
})

it('a page that is never the same has a small history, and slows nobody down', async () => {
  const { key } = await keys.create('Attacker')
  const report = await service.attack('captures of a page that is never the same, with their history', async () => {
    for (let count = 0; count < 3; count++) {
      const { status, text, page } = await capture(key, '/ever-changing')
      expect(status, text.slice(0, 300)).toBe(200)
      expect(page.data.history!.versions.length).toBeLessThanOrEqual(20)
      expect(JSON.stringify(page.data.history).length).toBeLessThan(100_000)
    }
  })
  expectContained(report)
})

it('a page that breaks the scripts of the service has the history of others', async () => {
  const { key } = await keys.create('Reader')
  await capture(key, '/hostile')
  const { status, page } = await capture(key, '/hostile')
  expect(status).toBe(200)
  expect(page.data.history).toMatchObject({ versions: [{ changes: [] }] })
})
