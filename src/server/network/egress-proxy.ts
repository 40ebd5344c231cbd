import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { forwardRequest } from './forward-request.js'
import type { Guard } from './guard.js'
import { openTunnel } from './open-tunnel.js'

/** The browser's only way out. */
export interface EgressProxy {
  /** `http://127.0.0.1:PORT`, for `--proxy-server`. */
  url: string
  /** Ends every connection at once. */
  close(): Promise<void>
}

const MAX_CONNECTIONS = 1_024
const IDLE_TIMEOUT_MS = 60_000

/**
 * Starts a forward proxy on loopback: each request and each tunnel (https, ws, wss) is checked by the guard and goes to exactly
 * the checked address. What the guard refuses is answered 403 with `x-page-preview-refused: <code>`; what fails further on, 502.
 *
 * It asks for no password, since a browser takes none on its command line; all it gives is what anyone on the internet has.
 */
export async function startEgressProxy(guard: Guard): Promise<EgressProxy> {
  const sockets = new Set<Socket>()
  const server = createServer({ maxHeaderSize: 65_536, headersTimeout: 10_000, requestTimeout: 60_000 })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = IDLE_TIMEOUT_MS

  server.on('connection', (socket) => {
    sockets.add(socket)
    // A tunnel takes the socket out of the server's hands, and with it the server's listeners.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => {
    void forwardRequest(request, response, guard)
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void openTunnel(client, { authority: request.url ?? '', head, guard })
  })
  server.on('clientError', (_, socket) => {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy())
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
