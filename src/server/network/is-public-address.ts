import ipaddr from 'ipaddr.js'

/** A public address that Azure routes to its host, which the IANA registries do not list. */
const AZURE_HOST = '168.63.129.16'

/** The whole global unicast space: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3')

/** The well-known NAT64 prefix; unlike it, `64:ff9b:1::/48` is for local use: https://www.rfc-editor.org/rfc/rfc8215 */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address belongs to the public internet. For an IPv4 address inside an IPv6 one (mapped, NAT64), the IPv4
 * address decides; 6to4, Teredo and IPv4-compatible addresses are never public, because no public site uses them.
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
  const [, , , , , isMapped] = address.parts
  if (isMapped === 0xffff && address.parts.slice(0, 5).every((part) => part === 0))
    return isPublicV4(embeddedV4(address))
  if (address.match(NAT64)) return isPublicV4(embeddedV4(address))
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6) && !isIsatap(address)
}

const embeddedV4 = (address: ipaddr.IPv6) => new ipaddr.IPv4(address.toByteArray().slice(12))

/** ISATAP, which tunnels to the IPv4 address in the last 32 bits: https://www.rfc-editor.org/rfc/rfc5214#section-6.1 */
const isIsatap = ({ parts: [, , , , flags = 0, marker] }: ipaddr.IPv6) => (flags & 0xfdff) === 0 && marker === 0x5efe
