import ipaddr from 'ipaddr.js'
import { embeddedV4 } from './embedded-ipv4.js'

/** A public address that Azure routes to its host, which the IANA registries do not list. */
const AZURE_HOST = '168.63.129.16'

/** The whole global unicast space: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet. For an IPv4 address inside an IPv6 one (mapped, NAT64), the IPv4
 * address decides; 6to4, Teredo, ISATAP and IPv4-compatible addresses are never public, because no public site uses them.
 *
 * @param address  IPv4 or IPv6 in any form that `ipaddr.js` parses, including a zone; anything else is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed instanceof ipaddr.IPv6 ? isPublicV6(parsed) : isPublicV4(parsed)
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  const embedded = embeddedV4(address)
  if (embedded) return /^(mapped|NAT64)$/.test(embedded.form) && isPublicV4(embedded.address)
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6)
}
