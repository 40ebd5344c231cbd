import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { freePort } from '../shared/free-port.js'

/** Servers at private addresses that nothing may reach. */
export interface Victims {
  /** The same at every address, TCP and UDP. */
  port: number
  addresses: readonly string[]
  /** What arrived, one text a connection or packet: `ADDRESS: ` and the first bytes. */
  arrivals: string[]
  close(): Promise<void>
}

/** Those that a machine has outside of a network namespace come first. */
const PRIVATE_ADDRESSES = ['127.0.0.1', '::1', '10.1.2.3', '169.254.169.254', 'fd00::1']

/** A public address without a network behind it, in the namespace that `npm run test:security` creates. */
export const PUBLIC_ADDRESS = '93.184.215.14'

const RESPONSE =
  'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\naccess-control-allow-origin: *\r\nconnection: close\r\n\r\n<title>reached</title>'

/** Whether this process is in the network namespace, where servers can have public addresses. */
export const isIsolated = (): Promise<boolean> => canListen(PUBLIC_ADDRESS)

/** Listens at every private address that this machine has. */
export async function startVictims(candidates: readonly string[] = PRIVATE_ADDRESSES): Promise<Victims> {
  const arrivals: string[] = []
  const addresses: string[] = []
  const closers: (() => Promise<void>)[] = []
  const port = await freePort()
  for (const address of candidates) {
    if (!(await canListen(address))) continue
    closers.push(await listenTcp(address, port, arrivals), await listenUdp(address, port, arrivals))
    addresses.push(address)
  }
  return { port, addresses, arrivals, close: async () => void (await Promise.all(closers.map((close) => close()))) }
}

async function listenTcp(address: string, port: number, arrivals: string[]) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const index = arrivals.push(`${address}: `) - 1
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => void (arrivals[index] += chunk.toString('latin1').slice(0, 300)))
    socket.once('data', () => socket.end(RESPONSE))
  })
  server.listen(port, address)
  await once(server, 'listening')
  return async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

async function listenUdp(address: string, port: number, arrivals: string[]) {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  socket.on('message', (message) => void arrivals.push(`${address}: UDP ${message.toString('latin1').slice(0, 300)}`))
  socket.bind(port, address)
  await once(socket, 'listening')
  return () => new Promise<void>((resolve) => socket.close(() => resolve()))
}

async function canListen(address: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(0, address)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
