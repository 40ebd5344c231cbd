import ipaddr from 'ipaddr.js'

/** A network whose requests are counted together. */
export interface ClientNetwork {
  /** The name of its counter: an IPv4 address, or an IPv6 network. */
  name: string
  /** How many times the limit of one client the network has. */
  limitFactor: number
}

/** Otherwise the holder of a larger network than a /64 could use each /64 of it as a separate client. */
const AGGREGATES = [
  { prefixLength: 56, limitFactor: 4 },
  { prefixLength: 48, limitFactor: 16 },
] as const

/**
 * The networks that a client is counted in: itself, and for the /64 of an IPv6 address its /56 and its /48.
 *
 * @param client  As `clientAddress` returns it.
 */
export function clientNetworks(client: string): ClientNetwork[] {
  const own = { name: client, limitFactor: 1 }
  if (!ipaddr.IPv6.isValidCIDR(client)) return [own]
  const [address] = ipaddr.IPv6.parseCIDR(client)
  const aggregates = AGGREGATES.map(({ prefixLength, limitFactor }) => {
    const cidr = `${address.toNormalizedString()}/${prefixLength}`
    return { name: `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toRFC5952String()}/${prefixLength}`, limitFactor }
  })
  return [own, ...aggregates]
}
