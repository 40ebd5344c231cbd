import ipaddr from 'ipaddr.js'

/** A form of IPv6 address that contains an IPv4 one. */
type Form = 'mapped' | 'compatible' | 'translated' | 'NAT64' | '6to4' | 'Teredo' | 'ISATAP'

interface Embedding {
  form: Form
  matches: (address: ipaddr.IPv6) => boolean
  /** Of the first byte of the IPv4 address. */
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
