import ipaddr from 'ipaddr.js'
import { networkInterfaces } from 'node:os'

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

/** A form of IPv6 address that contains an IPv4 one. */
type Form = 'mapped' | 'compatible' | 'translated' | 'NAT64' | '6to4' | 'Teredo' | 'ISATAP'

interface Embedding {
  form: Form
  matches: (address: ipaddr.IPv6) => boolean
  /** The offset of the first byte of the IPv4 address. */
  offset: number
  /** Flips the bits of its bytes. */
  mask?: number
}

const within = (cidr: string) => {
  const range = ipaddr.IPv6.parseCIDR(cidr)
  return (address: ipaddr.IPv6) => address.match(range)
}

const EMBEDDINGS: readonly Embedding[] = [
  // https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5
  { form: 'mapped', matches: within('::ffff:0:0/96'), offset: 12 },
  { form: 'compatible', matches: within('::/96'), offset: 12 },
  // https://www.rfc-editor.org/rfc/rfc2765#section-2.1
  { form: 'translated', matches: within('::ffff:0:0:0/96'), offset: 12 },
  // The well-known prefix; unlike it, `64:ff9b:1::/48` is for local use: https://www.rfc-editor.org/rfc/rfc8215
  { form: 'NAT64', matches: within('64:ff9b::/96'), offset: 12 },
  // https://www.rfc-editor.org/rfc/rfc3056#section-2
  { form: '6to4', matches: within('2002::/16'), offset: 2 },
  // https://www.rfc-editor.org/rfc/rfc4380#section-4
  { form: 'Teredo', matches: within('2001::/32'), offset: 12, mask: 0xff },
  // https://www.rfc-editor.org/rfc/rfc5214#section-6.1
  {
    form: 'ISATAP',
    matches: ({ parts: [, , , , flags = 0, marker] }) => (flags & 0xfdff) === 0 && marker === 0x5efe,
    offset: 12,
  },
]

/** The IPv4 address that an IPv6 one contains, which is where its packets end. */
export function embeddedV4(address: ipaddr.IPv6): { form: Form; address: ipaddr.IPv4 } | undefined {
  const embedding = EMBEDDINGS.find(({ matches }) => matches(address))
  if (!embedding) return undefined
  const { form, offset, mask = 0 } = embedding
  const bytes = address.toByteArray().slice(offset, offset + 4)
  return { form, address: new ipaddr.IPv4(bytes.map((byte) => byte ^ mask)) }
}
