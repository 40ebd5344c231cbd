// Covers the limits of connections in src/server/http/connections.ts.
import { createServer } from 'node:http'
import { connect, Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { limitConnections } from '../../../src/server/http/connections.js'
import { listen } from '../../../src/server/http/listen.js'
import { LISTEN_OPTIONS } from './listen-options.js'

/** A server without a port; `connect` returns the connection of a client. */
function limitedServer(maxConnectionsPerClient: number, maxConnections = 1_000) {
  const server = createServer()
  limitConnections(server, { maxConnections, maxConnectionsPerClient })
  const sockets: Socket[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  return (remoteAddress: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    sockets.push(socket)
    server.emit('connection', socket)
    return socket
  }
}

const acceptedOf = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => !destroyed).length

it('closes the connections of a client beyond its limit, until another one ends', async () => {
  const connect = limitedServer(2)
  const first = ['192.0.2.1', '192.0.2.1', '192.0.2.1'].map(connect)
  expect(first.map(({ destroyed }) => destroyed)).toEqual([false, false, true])
  expect(connect('192.0.2.2').destroyed).toBe(false)
  await new Promise((resolve) => first[0]!.destroy().once('close', resolve))
  expect(connect('::ffff:192.0.2.1').destroyed).toBe(false)
})

it('counts a /56 as one client, and a /48 as four', () => {
  const connect = limitedServer(10)
  const connectEach = (address: (index: number) => string) =>
    acceptedOf(Array.from({ length: 100 }, (_, index) => connect(address(index))))
  expect(connectEach((index) => `2001:db8:1:${index.toString(16)}::1`)).toBe(10)
  expect(connectEach((index) => `2001:db8:2:${(index * 256).toString(16)}::1`)).toBe(40)
  expect(connect('2001:db8:3::1').destroyed).toBe(false)
})

it('leaves half of all connections to others than one /48', () => {
  const connect = limitedServer(10, 60)
  const sockets = Array.from({ length: 60 }, (_, index) => connect(`2001:db8:1:${(index * 256).toString(16)}::1`))
  expect(acceptedOf(sockets)).toBe(30)
})

it('aborts all requests of a connection that is reset, and no others', async () => {
  const started: { path: string; signal: AbortSignal }[] = []
  const listener = await listen(
    {
      cachedResponse: () => undefined,
      fetch({ url, signal }) {
        started.push({ path: new URL(url).pathname, signal })
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Response())))
      },
    },
    LISTEN_OPTIONS,
  )
  onTestFinished(() => {
    listener.closeConnections()
    return listener.close()
  })
  const send = (path: string, count: number) => {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: previews.test\r\n\r\n`.repeat(count))
    return socket
  }
  const signalsOf = (path: string) => started.filter((each) => each.path === path).map(({ signal }) => signal)
  const leaving = send('/leaving', 8)
  const staying = send('/staying', 8)
  onTestFinished(() => void staying.destroy())
  await expect.poll(() => started.length).toBe(16)
  leaving.resetAndDestroy()
  await expect.poll(() => signalsOf('/leaving').filter(({ aborted }) => aborted).length).toBe(8)
  expect(signalsOf('/staying').some(({ aborted }) => aborted)).toBe(false)
})
