// Covers clients that send a request one byte at a time, against a real listener.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startService } from '../shared/start-service.js'

const CLIENTS = 300
const BYTE_INTERVAL_MS = 1_000
/** The limits of the service are 10 and 15 s; without them no connection ends. */
const MAX_MS = 30_000

const starts: Record<string, string> = {
  headers: 'GET /healthz HTTP/1.1\r\nHost: previews.test\r\nx-slow: ',
  body: 'POST /healthz HTTP/1.1\r\nHost: previews.test\r\ncontent-length: 10000\r\n\r\n',
}

it.each(Object.keys(starts))(
  'disconnects clients that send their %s a byte a second, while others are served',
  async (part) => {
    const service = await startService(`--max-connections-per-client=${2 * CLIENTS}`)
    const startedAt = performance.now()
    const closedAfterMs = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const socket = connect(Number(new URL(service.free).port), '127.0.0.1')
        await sendSlowly(socket, starts[part]!)
        return performance.now() - startedAt
      }).concat(fetch(`${service.free}/healthz`).then(({ status }) => (expect(status).toBe(200), 0))),
    )
    expect(Math.max(...closedAfterMs)).toBeLessThan(MAX_MS)
    await service.stop()
  },
)

/** Resolves when the service has closed the connection. */
async function sendSlowly(socket: Socket, start: string): Promise<void> {
  socket.write(start)
  const timer = setInterval(() => socket.write('a'), BYTE_INTERVAL_MS)
  socket.on('error', () => socket.destroy()).resume()
  await once(socket, 'close')
  clearInterval(timer)
}
