import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isIsolated } from './victims.js'

/** A DNS server whose answers never live longer than one lookup. */
export interface NameServer {
  /** Makes a service use this server. */
  environment: NodeJS.ProcessEnv
  /** The names that were looked up, in order. */
  lookups: string[]
  close(): Promise<void>
}

/** What the server answers; `lookup` counts the lookups of this name from 0. */
export type Answer = (name: string, lookup: number) => AnsweredName

/** Addresses of both families, none for a name without records, a failure, or silence. */
export type AnsweredName = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence'

const TYPES = { A: 1, AAAA: 28 } as const
/** https://www.rfc-editor.org/rfc/rfc1035#section-4.1.1 */
const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 } as const
const HEADER_BYTES = 12
const HOOK = fileURLToPath(new URL('resolve-by-name-server.mjs', import.meta.url))

/** In the network namespace it is the system's name server; elsewhere a hook sends the look-ups of the service to it. */
export async function startNameServer(answer: Answer): Promise<NameServer> {
  const lookups: string[] = []
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (question, { address, port }) => {
    const { name, type, end } = parseQuestion(question)
    const key = `${name} ${type}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    if (type === TYPES.A) lookups.push(name)
    const answered = answer(name, count)
    if (answered === 'silence') return
    const rcode = typeof answered === 'string' ? RCODES[answered] : RCODES.NOERROR
    const known = typeof answered === 'string' ? [] : answered
    const addresses = known.filter((each) => isIPv4(each) === (type === TYPES.A))
    socket.send(response(question.subarray(0, end), { type, addresses, rcode }), port, address)
  })
  const isSystems = await isIsolated()
  socket.bind(isSystems ? 53 : 0, isSystems ? '127.0.0.53' : '127.0.0.1')
  await once(socket, 'listening')
  const server = `127.0.0.1:${socket.address().port}`
  return {
    environment: isSystems ? {} : { NODE_OPTIONS: `--import=${HOOK}`, TEST_NAME_SERVER: server },
    lookups,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

function parseQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let offset = HEADER_BYTES
  for (let length = message[offset]!; length > 0; length = message[offset]!) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(offset + 1), end: offset + 5 }
}

/** https://www.rfc-editor.org/rfc/rfc1035#section-4.1 */
function response(
  question: Buffer,
  { type, addresses, rcode }: { type: number; addresses: readonly string[]; rcode: number },
): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(0x8580 | rcode, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const bytes = bytesOf(address)
    const record = Buffer.alloc(HEADER_BYTES)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records])
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // A URL has IPv6 addresses in hexadecimal alone, with at most one gap.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [start, end] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const gap = Array<string>(8 - start.length - end.length).fill('0')
  return Buffer.from([...start, ...gap, ...end].map((part) => part.padStart(4, '0')).join(''), 'hex')
}
