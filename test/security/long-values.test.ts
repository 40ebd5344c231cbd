// Covers values that are long or slow to match, of parameters and of pages, against the built service.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import type { Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const COMMAND = resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')
/** Chromium requests no URL over 2 MB. */
const ADDRESS_CHARS = 1_900_000

let service: AttackedService
let key: string
beforeAll(async () => {
  service = await startAttackedService()
  const args = [COMMAND, 'keys', 'create', '--name=attacker', `--data-dir=${service.dataDir}`]
  key = /pp_\S+/.exec((await promisify(execFile)(process.execPath, args)).stdout)![0]
})
afterAll(() => service.stop())

async function attackContained(name: string, run: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  expectContained(await service.attack(name, run))
}

describe.each([
  ['the free host', () => ({ host: service.url, headers: {}, statuses: [400] })],
  // Without a key, a parameter may be looked at first or not.
  ['the pro host without a key', () => ({ host: service.proUrl, headers: {}, statuses: [400, 401] })],
  ['the pro host with a key', () => ({ host: service.proUrl, headers: { 'x-api-key': key }, statuses: [400] })],
])('%s rejects at once', (caller, settings) => {
  it.each([
    ['a duration of 12,000 digits', { ttl: `${'1'.repeat(12_000)}x` }],
    ['a background with 2,600 spaces', { 'overlay.background': `url(${' '.repeat(2_600)}` }],
    ['a name of 12,000 characters', { ['a-b'.repeat(4_000)]: '1' }],
  ])('%s', async (name, parameters) => {
    await attackContained(`${name}, ${caller}`, async () => {
      const { host, headers, statuses } = settings()
      const parametersText = new URLSearchParams({ url: service.site.url, ...parameters })
      const response = await fetch(`${host}?${parametersText}`, { headers })
      expect(statuses).toContain(response.status)
    })
  })
})

it('matches the start of long addresses of images and scripts only', async () => {
  const { site } = service
  const load = (name: string) => `
    for (let i = 0; i < 8; i++) {
      const element = document.createElement('${name}')
      element.src = '/ads/' + i + '?' + '/banner/adserver.js?ad='.repeat(${ADDRESS_CHARS / 23})
      document.body.append(element)
    }`
  site.routes['/long-addresses'] = `<title>T</title><body><script>${load('img')}${load('script')}</script>`
  await attackContained('addresses of 1.9 MB in a capture', async (signal) => {
    const query = { url: `${site.url}/long-addresses`, screenshot: 'true', adblock: 'true', ping: 'false' }
    const response = await service.get(query, { signal })
    expect([200, 422, 504], await response.text()).toContain(response.status)
  })
})

it.each([
  ['a text of 900 kB', `{"@type":"Article","headline":"${'a '.repeat(450_000)}"}`],
  ['a name of 900 kB of entities', `{"@type":"Article","author":"by ${'&amp;amp;'.repeat(100_000)}"}`],
  ['a date of 900 kB', `{"@type":"Article","datePublished":"${'2026-01-01T'.repeat(80_000)}"}`],
  ['a duration of 900 kB', `{"@type":"VideoObject","duration":"PT${'1H'.repeat(450_000)}"}`],
  ['an address of 900 kB', `{"@type":"Article","image":"https://a${'\u0327\u0301'.repeat(200_000)}"}`],
])('reads JSON-LD with %s beside others', async (name, json) => {
  const { site } = service
  site.routes['/json-ld'] = `<title>T</title><script type="application/ld+json">${json}</script>`
  await attackContained(`JSON-LD with ${name}`, async (signal) => {
    const attacks = Array.from({ length: 4 }, async (_, n) => {
      const response = await service.get({ url: `${site.url}/json-ld?${name}${n}`, ping: 'false' }, { signal })
      expect([200, 504], await response.text()).toContain(response.status)
    })
    await Promise.all(attacks)
  })
})

it('measures the start of an image only', async () => {
  const { site } = service
  const bytes = Buffer.from(`\xff\xd8\xff\xe0\0\x02${'\xff\xe1\0\x02'.repeat(6_000_000)}`, 'latin1')
  const image: Route = (_, response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes)
  site.routes['/segments.jpg'] = image
  site.routes['/segments'] = `<title>T</title><meta property="og:image" content="${site.url}/segments.jpg">`
  await attackContained('an image of six million segments', async (signal) => {
    const query = { url: `${site.url}/segments`, ping: 'false', screenshot: 'false' }
    const { data } = (await (await service.get(query, { signal })).json()) as PageResponse
    expect(data.image).toBeTruthy()
    const response = await service.get({ ...query, embed: 'image.url' }, { signal })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
  })
})
