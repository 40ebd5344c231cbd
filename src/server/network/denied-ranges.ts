import ipaddr from 'ipaddr.js'
import { embeddedV4 } from './embedded-ipv4.js'

/**
 * Parses the address ranges that an operator denies. A range of IPv4 covers the IPv6 addresses that contain an address of it.
 *
 * @param ranges  `ADDRESS/BITS`, or one address.
 * @throws        {TypeError} for an invalid range.
 */
export function parseDeniedRanges(ranges: readonly string[]): (address: string) => boolean {
  const denied = ranges.map(parseRange)
  return (address) => {
    if (!ipaddr.isValid(address)) return true
    const parsed = ipaddr.parse(address)
    const embedded = parsed instanceof ipaddr.IPv6 ? embeddedV4(parsed)?.address : undefined
    return [parsed, embedded].some((each) =>
      denied.some(([range, bits]) => range.kind() === each?.kind() && each.match(range, bits)),
    )
  }
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const range = text.trim()
  if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range)
  if (!ipaddr.isValid(range))
    throw new TypeError(`"${text}" is not an address range; write ADDRESS/BITS like 2001:db8:64::/96`)
  const address = ipaddr.parse(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
