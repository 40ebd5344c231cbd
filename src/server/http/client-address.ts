import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/**
 * Whom the daily limit counts: an IPv4 address, or the /64 of an IPv6 address.
 *
 * @param peer          Address of the other end of the socket.
 * @param forwardedFor  Value of `x-forwarded-for`, if any.
 * @param trustProxy    How many proxies before the service are its own; each adds one address at the end of the list.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustProxy: number): string {
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), peer].filter(Boolean)
  const claimed = hops[Math.max(0, hops.length - 1 - trustProxy)] ?? peer
  const address = [claimed, peer].find((candidate) => ipaddr.isValid(candidate))
  return address ? networkOf(address) : 'unknown'
}

const MAX_CLIENTS = 10_000

/** `clientAddress`, remembering what it said: parsing addresses is a good part of a cached answer's cost. */
export function createClientNames(trustProxy: number): (peer: string, forwardedFor: string | null) => string {
  const names = new LRUCache<string, string>({ max: MAX_CLIENTS })
  return (peer, forwardedFor) => {
    const place = trustProxy && forwardedFor ? `${peer} ${forwardedFor}` : peer
    const known = names.get(place)
    if (known) return known
    const name = clientAddress(peer, forwardedFor, trustProxy)
    names.set(place, name)
    return name
  }
}

function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toRFC5952String()}/64`
}
