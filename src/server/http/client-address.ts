import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

const MAX_CLIENTS = 10_000
/** Longest cache key. A client may write 64 kB into its header, and V8 hashes such long strings by their length alone. */
const MAX_CACHED_CHARS = 256

/**
 * The client that the daily limit counts for: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * @param peer          IP address of the peer of the socket.
 * @param forwardedFor  Value of `x-forwarded-for`, if any.
 * @param trustProxy    Number of trusted reverse proxies; each has appended one address to `x-forwarded-for`.
 * @returns             `unknown` when neither address can be parsed.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustProxy: number): string {
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), peer].filter(Boolean)
  const client = hops[Math.max(0, hops.length - 1 - trustProxy)] ?? peer
  const address = [client, peer].find((candidate) => ipaddr.isValid(candidate))
  return address ? networkOf(address) : 'unknown'
}

/** `clientAddress` with a cache, because parsing addresses is a large part of the cost of a cached response. */
export function createClientAddresses(trustProxy: number): (peer: string, forwardedFor: string | null) => string {
  const addresses = new LRUCache<string, string>({ max: MAX_CLIENTS })
  return (peer, forwardedFor) => {
    const key = trustProxy && forwardedFor ? `${peer} ${forwardedFor}` : peer
    if (key.length > MAX_CACHED_CHARS) return clientAddress(peer, forwardedFor, trustProxy)
    const cached = addresses.get(key)
    if (cached) return cached
    const address = clientAddress(peer, forwardedFor, trustProxy)
    addresses.set(key, address)
    return address
  }
}

function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toRFC5952String()}/64`
}
