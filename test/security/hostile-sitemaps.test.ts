// Covers the lists of pages that jobs read: a few kilobytes of gzip with millions of lines or elements, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { openKeys } from '../../src/server/index.js'
import type { Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const BYTES = 52_000_000
const ATTACKERS = 4

let service: AttackedService
let apiKeys: string[]
beforeAll(async () => {
  service = await startAttackedService({})
  const keys = await openKeys({ dataDir: service.dataDir })
  apiKeys = []
  for (let at = 0; at < ATTACKERS; at++) apiKeys.push((await keys.create(`Attacker ${at}`)).key)
  await keys.close()
})
afterAll(() => service.stop())

const filled = (text: string) => Buffer.alloc(BYTES, text)
const xml = (text: string) => Buffer.concat([Buffer.from('<urlset>'), filled(text), Buffer.from('</urlset>')])
const urls = (count: number) =>
  Array.from({ length: count }, (_, at) => `<url><loc>https://example.com/${at}</loc></url>`)
const gzipped = (bytes: Buffer): Route => {
  const body = gzipSync(bytes)
  return (_, response) => void response.writeHead(200, { 'content-type': 'application/gzip' }).end(body)
}

it.each<[string, () => Buffer, number[]?]>([
  ['lines that are no URL', () => filled('a\n')],
  ['lines that are the same URL', () => filled('http://10.0.0.1/\n'), [202, 400, 503, 504]],
  ['comments', () => filled('#\n')],
  ['empty lines', () => filled('\r\n')],
  ['spaces', () => filled(' ')],
  ['elements', () => xml('<a/>')],
  ['tags that are open', () => xml('<a>')],
  ['attributes', () => xml('<a b="c" d=\'e\'/>')],
  ['addresses that are empty', () => xml('<url><loc></loc></url>')],
  ['entities', () => xml('&amp;')],
  ['more pages than a job may have', () => Buffer.from(`<urlset>${urls(500_000).join('')}</urlset>`)],
  ['lines of other digits', () => Buffer.from(Array.from({ length: 5_000_000 }, (_, at) => at).join('\n'))],
])('a list of %s keeps nobody else waiting', async (name, list, expected = [400, 503, 504]) => {
  service.site.routes['/list.gz'] = gzipped(list())
  const answers: number[] = []
  const report = await service.attack(`jobs with a list of ${name}`, async (signal) => {
    const create = async (key: string) => {
      const body = JSON.stringify({ sitemap: `${service.site.url}/list.gz` })
      const headers = { 'x-api-key': key }
      const response = await fetch(`${service.proUrl}jobs`, { method: 'POST', headers, body, signal })
      await response.text()
      answers.push(response.status)
    }
    await Promise.all(apiKeys.map(create))
  })
  expect(answers).toHaveLength(ATTACKERS)
  for (const status of answers) expect(expected).toContain(status)
  expectContained(report)
})

it('a sitemap with as many pages as a job may have is read', async () => {
  service.site.routes['/map.gz'] = gzipped(Buffer.from(`<urlset>${urls(50_000).join('')}</urlset>`))
  const response = await fetch(`${service.proUrl}jobs`, {
    method: 'POST',
    headers: { 'x-api-key': apiKeys[0]! },
    body: JSON.stringify({ sitemap: `${service.site.url}/map.gz` }),
  })
  expect(await response.json()).toMatchObject({ status: 'success', data: { total: 50_000 } })
})
