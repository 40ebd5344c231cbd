// Covers clients that request large images and do not read them, against the built service.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const IMAGE_BYTES = 24_000_000
const READERS = 25
const MAX_CONNECTIONS = 40
/** The service disconnects within 20 seconds without progress. */
const STALL_LIMIT_MS = 30_000

let service: AttackedService
beforeAll(async () => {
  const image = Buffer.alloc(IMAGE_BYTES, 'x')
  service = await startAttackedService(
    {
      '/': '<title>Large</title><meta property="og:image" content="/large.png">',
      '/large.png': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(image),
    },
    [`--max-connections-per-client=${MAX_CONNECTIONS}`],
  )
})
afterAll(() => service.stop())

const imageQuery = () => ({ url: service.site.url, ping: 'false', embed: 'image.url' })

/** How many of the connections of these sockets the service has not closed; a paused socket does not notice. */
function connectedCount(sockets: readonly Socket[]): number {
  const ESTABLISHED = '01'
  const servicePort = Number(new URL(service.url).port)
  const clientPorts = new Set(sockets.map(({ localPort }) => localPort))
  const rows = readFileSync(`/proc/${service.pid}/net/tcp`, 'utf8').trim().split('\n').slice(1)
  const connectedPorts = rows
    .map((row) => row.trim().split(/\s+/))
    // A connection of another service may have the same client port.
    .filter(([, local = '', , state]) => state === ESTABLISHED && portOf(local) === servicePort)
    .map(([, , remote = '']) => portOf(remote))
  // Linux may list a connection twice when others open or close meanwhile.
  return new Set(connectedPorts.filter((port) => clientPorts.has(port))).size
}

const portOf = (address: string) => Number.parseInt(address.split(':')[1]!, 16)

async function readRest(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => void (bytes += chunk.length))
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return bytes
}

function openConnection(): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  return socket
}

it('streams a large image as fast as its clients read it, and disconnects those that do not', async () => {
  const whole = await (await service.get(imageQuery())).arrayBuffer()
  expect(whole.byteLength).toBe(IMAGE_BYTES)
  const query = new URLSearchParams({ ...imageQuery(), ttl: '30d' })
  const sockets: Socket[] = []
  const report = await service.attack(`${READERS} clients that do not read a large image`, async () => {
    for (let reader = 0; reader < READERS; reader++) sockets.push(openConnection().pause())
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) socket.write(`GET /?${query} HTTP/1.1\r\nHost: previews.test\r\n\r\n`)
    expect(connectedCount(sockets)).toBe(READERS)
    await expect.poll(() => connectedCount(sockets), { timeout: STALL_LIMIT_MS, interval: 500 }).toBe(0)
  })
  const received = await Promise.all(sockets.map(readRest))
  expect(Math.max(...received)).toBeLessThan(IMAGE_BYTES)
  expectContained(report)
})

it('closes connections of one client beyond the limit, and accepts new ones when others have ended', async () => {
  const sockets = Array.from({ length: 2 * MAX_CONNECTIONS }, () => openConnection().resume())
  const closedCount = () => sockets.filter(({ closed }) => closed).length
  await expect.poll(closedCount).toBeGreaterThanOrEqual(MAX_CONNECTIONS)
  expect(closedCount()).toBeLessThan(sockets.length)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => fetch(`${service.url}healthz`).then(({ status }) => status, String)).toBe(200)
})
