import { browserVectors, packetVectors } from './browser-vectors.js'

/** Hosts that lead to a private address on every machine, and those that exist in the network namespace alone. */
export const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0.0.0.0', '[::ffff:7f00:1]']
export const NAMESPACE_HOSTS = ['10.1.2.3', '169.254.169.254', '[fd00::1]']

/** What is tried against each host; the first is attacked with all vectors. */
const VECTORS_OF_EACH_HOST = ['img-src', 'iframe-src', 'fetch', 'web-socket']

/** A page of the attacker that tries to reach one host. */
export interface AttackedHost {
  host: string
  /** Vectors that send something where they may. */
  attempts: string[]
  /** @param site  URL of the attacker's site. */
  html: (port: number, site: string) => string
}

/**
 * All attempts to reach a private address from a captured page. README and documentation name their number in the network
 * namespace.
 */
export const attackedHosts = (hosts: readonly string[] = [...LOOPBACK_HOSTS, ...NAMESPACE_HOSTS]): AttackedHost[] =>
  hosts.map((host, index) => {
    const vectorsOf = (port: number, site: string) => [
      ...browserVectors({ host: `${host}:${port}`, site }).filter(
        ({ name }) => index === 0 || VECTORS_OF_EACH_HOST.includes(name),
      ),
      ...packetVectors(`${host}:${port}`).map((vector) => ({ ...vector, isAlive: true })),
    ]
    return {
      host,
      attempts: vectorsOf(0, '')
        .filter(({ isAlive }) => isAlive)
        .map(({ name }) => name),
      html: (port, site) =>
        vectorsOf(port, site)
          .map(({ html }) => html)
          .join('\n'),
    }
  })
