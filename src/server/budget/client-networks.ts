import { createHmac, randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

const MAX_CLIENTS = 10_000
/** Longest cache key. A client may write 64 kB into its header; see `BoundedRequest` for long keys. */
const MAX_CACHED_CHARS = 256

/** The peer of a request that has no connection. */
const LOOPBACK = '127.0.0.1'

/**
 * The client of a request without an API key: an IPv4 address, or the /64 network of an IPv6 address. It has a daily limit, turns in
 * queues and connections, and it is in the log.
 *
 * @param peerAddress   IP address of the peer of the socket, which may be a reverse proxy.
 * @param forwardedFor  Value of `x-forwarded-for`, if any.
 * @param trustProxy    Number of trusted reverse proxies; each has appended one address to `x-forwarded-for`.
 * @returns             `unknown` if neither address can be parsed.
 */
export function identifyClient(
  peerAddress: string = LOOPBACK,
  forwardedFor: string | null,
  trustProxy: number,
): string {
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), peerAddress].filter(Boolean)
  const client = hops[Math.max(0, hops.length - 1 - trustProxy)] ?? peerAddress
  const address = [withoutPort(client), peerAddress].find((candidate) => ipaddr.isValid(candidate))
  return address ? networkOf(address) : 'unknown'
}

/** Some proxies write the port of the client too, and IPv6 in brackets. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[([\da-f:.]{2,45})\](?::\d{1,5})?$|^([\d.]{7,15}):\d{1,5}$/i, '$1$2')

/** `identifyClient` with a cache, because parsing addresses is a large part of the cost of a cached response. */
export function createClientIdentifier(
  trustProxy: number,
): (peerAddress: string | undefined, forwardedFor: string | null) => string {
  const clients = new LRUCache<string, string>({ max: MAX_CLIENTS })
  return (peerAddress = LOOPBACK, forwardedFor) => {
    const key = trustProxy && forwardedFor ? `${peerAddress} ${forwardedFor}` : peerAddress
    if (key.length > MAX_CACHED_CHARS) return identifyClient(peerAddress, forwardedFor, trustProxy)
    const cached = clients.get(key)
    if (cached) return cached
    const client = identifyClient(peerAddress, forwardedFor, trustProxy)
    clients.set(key, client)
    return client
  }
}

function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toRFC5952String()}/64`
}

/** A network whose requests are counted together. */
export interface ClientNetwork {
  /** The name of its counter: an IPv4 address, or an IPv6 network. */
  name: string
  /** How many times the limit of one client the network has. */
  limitFactor: number
}

/** Otherwise the holder of a larger network than a /64 could use each /64 of it as a separate client. */
const AGGREGATES = [
  { prefixLength: 56, limitFactor: 4 },
  { prefixLength: 48, limitFactor: 16 },
] as const

const OWNER_CHARS = 16

/**
 * The networks that a client is counted in: itself, and for the /64 of an IPv6 address its /56 and its /48.
 *
 * @param client  What `identifyClient` returns, or the id of an API key.
 */
export function clientNetworks(client: string): [own: ClientNetwork, ...wider: ClientNetwork[]] {
  const own: ClientNetwork = { name: client, limitFactor: 1 }
  if (!ipaddr.IPv6.isValidCIDR(client)) return [own]
  const [address] = ipaddr.IPv6.parseCIDR(client)
  const aggregates = AGGREGATES.map(({ prefixLength, limitFactor }) => {
    const cidr = `${address.toNormalizedString()}/${prefixLength}`
    return { name: `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toRFC5952String()}/${prefixLength}`, limitFactor }
  })
  return [own, ...aggregates]
}

/**
 * The networks in which a client takes turns and opens connections: an IPv4 address or an API key is one client, and so is the
 * /56 of an IPv6 address, because one household often has all of it. A /48 has four times the limit: it may be one site, or many households.
 */
export function queueNetworks(client: string): [own: ClientNetwork, ...wider: ClientNetwork[]] {
  const [own, ...aggregates] = clientNetworks(client)
  const [narrowest = own, ...wider] = aggregates
  const factor = narrowest.limitFactor
  return [
    { ...narrowest, limitFactor: 1 },
    ...wider.map(({ name, limitFactor }) => ({ name, limitFactor: limitFactor / factor })),
  ]
}

/**
 * Names the owners of what is stored: a client's largest network, or its API key, hashed with a random key that is never stored, so
 * that it cannot be found out who requested a page. After a restart a client is a new owner.
 */
export function createOwnerHash(): (client: string) => string {
  const key = randomBytes(32)
  return (client) => {
    const { name } = clientNetworks(client).at(-1)!
    return createHmac('sha256', key).update(name).digest('hex').slice(0, OWNER_CHARS)
  }
}
