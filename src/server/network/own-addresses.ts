import ipaddr from 'ipaddr.js'
import { networkInterfaces } from 'node:os'
import { embeddedV4 } from './embedded-ipv4.js'

export type ReadInterfaces = () => Readonly<Record<string, readonly { address: string }[] | undefined>>

const MAX_AGE_MS = 1_000

/**
 * Creates the check whether an address belongs to an interface of this machine. The interfaces are read again after a
 * second, because addresses change while the service runs.
 *
 * @param read  Default: the interfaces of the system.
 * @param now   Milliseconds. Default: `performance.now`.
 */
export function createOwnAddresses(
  read: ReadInterfaces = networkInterfaces,
  now: () => number = () => performance.now(),
): (address: string) => boolean {
  let addresses = new Set<string>()
  let readAt = -Infinity
  return (address) => {
    if (now() - readAt > MAX_AGE_MS) {
      addresses = new Set(Object.values(read()).flatMap((list = []) => list.map((each) => canonical(each.address))))
      readAt = now()
    }
    return addresses.has(canonical(address))
  }
}

/** One spelling for each address, without a zone; an IPv4 address inside an IPv6 one is that address. */
function canonical(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.parse(address.replace(/%.*$/s, ''))
  return String((parsed instanceof ipaddr.IPv6 && embeddedV4(parsed)?.address) || parsed)
}
