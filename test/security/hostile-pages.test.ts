// Covers pages whose HTML is slow to parse or to search, against the built service.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`
const nestedList = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const manyTypes = Array.from({ length: 300 }, (_, i) => `{"@type":["Article",${'"a",'.repeat(300)}"${i}"]}`)
const manyNames = Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(' ')

const PAGES: readonly (readonly [name: string, html: string])[] = [
  ['190,000 nested elements', `<title>T</title>${'<div>'.repeat(190_000)}`],
  [
    'unclosed elements and closing tags of others',
    `<title>T</title>${'<div>'.repeat(100_000)}${'</a>'.repeat(100_000)}`,
  ],
  ['a title in 990 headings', `<title>${'|'.repeat(1_990)}x</title>${'<h1>x</h1>'.repeat(990)}`],
  ['comments like those of a bot check', `<title>T</title><!--${'_Incapsula_Resource?'.repeat(9_000)}-->`],
  ['240,000 unclosed comments', `<title>T</title>${'<!--'.repeat(240_000)}`],
  ['many JSON-LD types', `<title>T</title>${jsonLd(`[${manyTypes.join()}]`)}`],
  ['JSON-LD of 100,000 nested lists', jsonLd(`{"@type":"Article","headline":${nestedList(100_000)}}`)],
  ['a tag with 100,000 attributes', `<title>T</title><a ${manyNames}>`],
  ['a meta tag with 100,000 names', `<title>T</title><meta name="${manyNames}" content=x>`],
  ['a tag with 140,000 class names', `<title>T</title><p class="${'author '.repeat(140_000)}">`],
]

// Compressed beforehand, because the innocent caller runs in this process.
function gzipped(html: string): Route {
  const body = gzipSync(html)
  return (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(body)
}

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService(Object.fromEntries(PAGES.map(([, html], i) => [`/${i}`, gzipped(html)])))
})
afterAll(() => service.stop())

it.each(PAGES.map(([name], i) => [name, i] as const))('reads %s beside others', async (name, i) => {
  const report = await service.attack(name, async (signal) => {
    // Several at once, because one of them alone occupies one worker only.
    const attacks = Array.from({ length: 4 }, async (_, n) => {
      const response = await service.get({ url: `${service.site.url}/${i}?n=${n}`, ping: 'false' }, { signal })
      const body: unknown = await response.json()
      return { status: response.status, body }
    })
    // Its own request may fail, in time and with the reason.
    for (const { status, body } of await Promise.all(attacks))
      expect([200, 422, 504], JSON.stringify(body)).toContain(status)
  })
  expectContained(report)
})
