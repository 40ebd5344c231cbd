// Covers clients that send a request one byte at a time, against a real listener.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startService } from '../shared/start-service.js'

const CLIENTS = 200
const BYTE_INTERVAL_MS = 1_000
const MAX_MS = 20_000

it(
  'disconnects clients that send their headers a byte a second, while others are served',
  { timeout: 60_000 },
  async () => {
    const service = await startService()
    const startedAt = performance.now()
    const closedAfterMs = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const socket = connect(Number(new URL(service.free).port), '127.0.0.1')
        await sendSlowly(socket)
        return performance.now() - startedAt
      }).concat(fetch(`${service.free}/healthz`).then(({ status }) => (expect(status).toBe(200), 0))),
    )
    expect(Math.max(...closedAfterMs)).toBeLessThan(MAX_MS)
    await service.stop()
  },
)

/** Resolves when the service has closed the connection. */
async function sendSlowly(socket: Socket): Promise<void> {
  const bytes = `GET /healthz HTTP/1.1\r\nHost: previews.test\r\nx-slow: ${'a'.repeat(10_000)}`
  let sent = 0
  const timer = setInterval(() => socket.write(bytes[sent++]!), BYTE_INTERVAL_MS)
  socket.on('error', () => socket.destroy()).resume()
  await once(socket, 'close')
  clearInterval(timer)
}
