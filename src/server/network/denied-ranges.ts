import ipaddr from 'ipaddr.js'

/**
 * Parses the address ranges that an operator denies.
 *
 * @param ranges  `ADDRESS/BITS`, or one address.
 * @throws        {TypeError} for an invalid range.
 */
export function parseDeniedRanges(ranges: readonly string[]): (address: string) => boolean {
  const denied = ranges.map(parseRange)
  return (address) => {
    if (!ipaddr.isValid(address)) return true
    const parsed = ipaddr.process(address)
    return denied.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))
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
