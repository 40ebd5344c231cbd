// Covers texts of equal length beyond 16,383 characters, which V8 hashes by their length alone: as keys of a table, each is
// compared with all others.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const REQUESTS = 1_000
const CONCURRENCY = 20
const CHARS = 60_000
/** No value of a parameter is longer. */
const VALUE_CHARS = 8_000

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService({ '/': '<title>Long</title>' }, ['--trust-proxy=1'])
})
afterAll(() => service.stop())

/** Texts of one length that differ in their end alone. */
const longText = (length: number, index: number) => 'a'.repeat(length - 8) + String(index).padStart(8, '0')
/** A query whose cache key is long although each of its values is not. */
const longQuery = (url: string, index: number) => {
  const values = Array.from({ length: Math.floor(CHARS / VALUE_CHARS) }, (_, part) => [
    `headers.x-${part}`,
    longText(VALUE_CHARS, index),
  ])
  return `/?${new URLSearchParams([['url', url], ...values] as [string, string][])}`
}

type Attack = (index: number) => { path?: string; header?: string }

it.each<[string, Attack]>([
  ['cache keys', (index) => ({ path: longQuery('http://10.0.0.1/', index) })],
  ['paths', (index) => ({ path: `/${longText(CHARS, index)}` })],
  ['parameters of images', (index) => ({ path: `/images/${'0'.repeat(64)}.jpg?${longText(CHARS, index)}` })],
  ['names of parameters', (index) => ({ path: `/?%20&${longText(CHARS, index)}=1` })],
  ['names of headers', (index) => ({ header: `${longText(CHARS, index)}: 1` })],
  ...['x-forwarded-for', 'accept-encoding'].map((name): [string, Attack] => [
    `values of ${name}`,
    (index) => ({ header: `${name}: ${longText(CHARS, index)}` }),
  ]),
])('%s do not slow the service down', async (name, attack) => {
  const { hostname, port } = new URL(service.url)
  /** Sends bytes, because Node's client would keep the names of headers in a table too. */
  const send = async (index: number) => {
    const { path = `/?url=${service.site.url}`, header = 'x-other: 1' } = attack(index)
    const socket = connect({ port: Number(port), host: hostname })
    let head = ''
    socket.on('data', (chunk) => void (head = (head + chunk.toString('latin1')).slice(0, 12)))
    socket.end(Buffer.from(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${header}\r\n\r\n`))
    await once(socket, 'close')
    return head.slice(9)
  }
  const report = await service.attack(`1,000 long ${name}`, async (signal) => {
    const statuses = new Set<string>()
    let next = 0
    const sendAll = async () => {
      while (next < REQUESTS && !signal.aborted) statuses.add(await send(next++))
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, sendAll))
    expect(statuses).not.toContain('500')
  })
  expectContained(report)
})
