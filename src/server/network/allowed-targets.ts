import { hostnameOf, isHostname } from '../hostnames/index.js'

/** Which part of a target the operator allows: none, its host on every web port, or its host on exactly this port. */
export type AllowedPart = 'none' | 'host' | 'host and port'

const TARGET = /^(\[[^\]]+\]|[^\s:/@*[\]]+)(?::(\d{1,5}))?$/

/**
 * Parses the private targets that an operator allows.
 *
 * @param targets  `HOST[:PORT]`, IPv6 in brackets. Hosts are compared as they are written in a URL, never by the address
 *   that they resolve to.
 * @throws         {TypeError} for an invalid target.
 */
export function parseAllowedTargets(targets: readonly string[]): (hostname: string, port: number) => AllowedPart {
  const allowed = new Set(targets.map(parseTarget))
  return (hostname, port) => {
    if (allowed.has(`${hostname}:${port}`)) return 'host and port'
    return allowed.has(hostname) ? 'host' : 'none'
  }
}

function parseTarget(target: string): string {
  const [, host, port] = TARGET.exec(target.trim()) ?? []
  const url = host && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined
  const hostname = url && hostnameOf(url)
  if (!hostname || !isHostname(hostname) || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1)
    throw new TypeError(`"${target}" is not a target; write HOST or HOST:PORT, with an IPv6 address in brackets`)
  return port ? `${hostname}:${Number(port)}` : hostname
}
