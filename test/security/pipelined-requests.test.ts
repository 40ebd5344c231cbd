// Covers connections that send many requests in one write, against the built service.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

/** More than the service reads at once. */
const IMAGE_BYTES = 4_000_000
const MAX_EXTRA_FILES = 20

let service: AttackedService
beforeAll(async () => {
  const image = Buffer.alloc(IMAGE_BYTES, 'x')
  service = await startAttackedService({
    '/': '<title>Large</title><meta property="og:image" content="/large.png">',
    '/large.png': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(image),
    '/small': '<title>Small</title>',
  })
})
afterAll(() => service.stop())

const openFileCount = () => readdirSync(`/proc/${service.pid}/fd`).length

async function openConnection(): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Unlike `once` of Node, does not fail when the connection was reset. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))

const pipeline = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nHost: previews.test\r\n\r\n`.repeat(count)
const pathOf = (query: Record<string, string>) => `/?${new URLSearchParams({ ping: 'false', ttl: '30d', ...query })}`

it('leaves no file open after connections that were reset with responses waiting', async () => {
  const query = { url: service.site.url, ping: 'false', ttl: '30d', embed: 'image.url' }
  await (await service.get(query)).arrayBuffer()
  await (await service.get(query)).arrayBuffer()
  const before = openFileCount()
  const report = await service.attack('connections that are reset with large responses waiting', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, openConnection))
    for (const socket of sockets)
      socket.once('readable', () => socket.resetAndDestroy()).write(pipeline(pathOf(query), 8))
    await Promise.all(sockets.map(closed))
  })
  await expect.poll(openFileCount, { timeout: 10_000 }).toBeLessThan(before + MAX_EXTRA_FILES)
  expectContained(report)
})

it.each([
  ['a cached page', () => pathOf({ url: `${service.site.url}/small` })],
  ['a document', () => '/openapi.json'],
])('closes connections that send a thousand requests of %s at once', async (name, path) => {
  await (await fetch(new URL(path(), service.url))).text()
  const report = await service.attack(`a thousand requests of ${name} at once`, async () => {
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 200 }, openConnection))
      for (const socket of sockets) socket.resume().write(pipeline(path(), 1_000))
      await Promise.all(sockets.map(closed))
    }
  })
  expectContained(report)
})
