import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createCounts, identifyClient, queueNetworks } from '../budget/index.js'

/** How many connections a listener accepts at the same time. */
export interface ConnectionLimits {
  /** Connections of all clients. */
  maxConnections: number
  /** Connections of one client: an IPv4 address, or the /56 of an IPv6 address. A /48 has four times as many, at most half of all. */
  maxConnectionsPerClient: number
}

/**
 * A client that reads nothing of a response is disconnected after 10 to 20 seconds: at intervals of this length, Node checks whether
 * anything was read since the last check.
 */
const STALL_TIMEOUT_MS = 10_000
/** Browsers send no second request before the first response; some other clients send a few. */
const MAX_WAITING_RESPONSES = 7

/** Closes a new connection at once if it exceeds a limit. */
export function limitConnections(server: Server, { maxConnections, maxConnectionsPerClient }: ConnectionLimits): void {
  const connections = createCounts()
  server.maxConnections = maxConnections
  const limitOf = (factor: number) =>
    Math.max(maxConnectionsPerClient, Math.min(maxConnectionsPerClient * factor, maxConnections / 2))
  server.on('connection', (socket: Socket) => {
    const networks = queueNetworks(identifyClient(socket.remoteAddress ?? '', null, 0))
    for (const { name } of networks) connections.add(name)
    socket.once('close', () => {
      for (const { name } of networks) connections.remove(name)
    })
    if (networks.some(({ name, limitFactor }) => connections.count(name) > limitOf(limitFactor))) socket.destroy()
  })
}

/**
 * Disconnects the client if it stops reading the response that is about to be sent. Node restarts the timer whenever the client takes
 * some of the bytes: https://nodejs.org/api/net.html#socketsettimeouttimeout-callback
 */
export function closeWhenStalled(response: ServerResponse): void {
  const start = (socket: Socket) => {
    socket.setTimeout(STALL_TIMEOUT_MS)
    // Before Node's own listener, which sets the timeout of an idle connection.
    response.prependOnceListener('finish', () => socket.setTimeout(0))
  }
  // A response has no socket until the earlier responses of its connection have been sent.
  if (response.socket) start(response.socket)
  else response.once('socket', start)
}

/** Resolves once all earlier responses of the connection have been sent, or the connection is closed. */
export async function waitForEarlierResponses(response: ServerResponse): Promise<void> {
  if (response.socket || response.destroyed) return
  await new Promise<void>((resolve) => response.once('socket', () => resolve()).once('close', () => resolve()))
}

/** Follows the responses of each connection. Node sends them in the order of their requests. */
export function followResponses() {
  const waitingOf = new WeakMap<Socket, Set<ServerResponse>>()
  const latestOf = new WeakMap<Duplex, ServerResponse>()
  const start = (connection: Socket) => {
    const waiting = new Set<ServerResponse>()
    waitingOf.set(connection, waiting)
    connection.once('close', () => {
      for (const response of waiting) if (!response.socket) response.destroy().emit('close')
    })
    return waiting
  }
  return {
    /**
     * Whether a request may be handled. Closes a connection on which too many responses wait for an earlier one: Node starts all
     * requests of a chunk at once, and keeps every response after the first in memory. The waiting responses are closed with their
     * connection, because Node closes only the first.
     */
    mayStart(response: ServerResponse): boolean {
      const connection = response.req.socket
      if (connection.destroyed) return false
      latestOf.set(connection, response)
      if (response.socket) return true
      const waiting = waitingOf.get(connection) ?? start(connection)
      waiting.add(response)
      response.once('close', () => waiting.delete(response))
      if (waiting.size <= MAX_WAITING_RESPONSES) return true
      connection.destroy()
      return false
    },
    /**
     * Whether an error may be written to a connection now. A client that receives or awaits a response would take the error for that
     * response, or for a part of it. A request whose own body is malformed gets the error as its response.
     */
    mayInterject(connection: Duplex): boolean {
      const latest = latestOf.get(connection)
      if (!latest || latest.writableFinished) return true
      return !latest.req.complete && latest.socket === connection && !latest.headersSent
    },
  }
}
