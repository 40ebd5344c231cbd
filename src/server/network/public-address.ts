import ipaddr from 'ipaddr.js'

/** Azure's virtual public address answers from inside the machine, and is the one that the registries do not list. */
const AZURE_HOST = '168.63.129.16'

/** All of the global unicast space there is: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3')

/** The well-known NAT64 prefix; `64:ff9b:1::/48` beside it is for local use: https://www.rfc-editor.org/rfc/rfc8215 */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Says whether an address belongs to the public internet. An IPv4 address inside an IPv6 one (mapped, NAT64) is judged as what
 * it is; the forms that no public site is reached by (6to4, Teredo, compatible) never are public.
 *
 * @param address  IPv4 or IPv6 in any form that `ipaddr.js` parses, a zone included; anything else is not public.
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

/** A tunnel to the IPv4 address in its last half: https://www.rfc-editor.org/rfc/rfc5214#section-6.1 */
const isIsatap = ({ parts: [, , , , flags = 0, mark] }: ipaddr.IPv6) => (flags & 0xfdff) === 0 && mark === 0x5efe
