import { createHmac, randomBytes } from 'node:crypto'
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

const OWNER_CHARS = 16

/**
 * The networks that a client is counted in: itself, and for the /64 of an IPv6 address its /56 and its /48.
 *
 * @param client  As `clientAddress` returns it.
 */
export function clientNetworks(client: string): [own: ClientNetwork, ...wider: ClientNetwork[]] {
  const own: ClientNetwork = { name: client, limitFactor: 1 }
  if (!ipaddr.IPv6.isValidCIDR(client)) return [own]
  const [address] = ipaddr.IPv6.parseCIDR(client)
  const aggregates = AGGREGATES.map(({ prefixLength, limitFactor }) => {
    const cidr = `${address.toNormalizedString()}/${prefixLength}`
    return { name: `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toRFC5952String()}/${prefixLength}`, limitFactor }
  })
  return [own, ...aggregates]
}

/**
 * The networks in which a client takes turns and opens connections: an IPv4 address or an API key is one client, and so is the
 * /56 of an IPv6 address, because one household often has all of it. A /48 has four times the limit: it may be one site, or many households.
 */
export function queueNetworks(client: string): [own: ClientNetwork, ...wider: ClientNetwork[]] {
  const [own, ...aggregates] = clientNetworks(client)
  const [narrowest = own, ...wider] = aggregates
  const factor = narrowest.limitFactor
  return [
    { ...narrowest, limitFactor: 1 },
    ...wider.map(({ name, limitFactor }) => ({ name, limitFactor: limitFactor / factor })),
  ]
}

/**
 * Names the owners of what is stored: a client's largest network, or its API key, hashed with a random key that is never stored, so
 * that it cannot be found out who requested a page. After a restart a client is a new owner.
 */
export function createOwnerHash(): (client: string) => string {
  const key = randomBytes(32)
  return (client) => {
    const { name } = clientNetworks(client).at(-1)!
    return createHmac('sha256', key).update(name).digest('hex').slice(0, OWNER_CHARS)
  }
}
