/** Whether a target was named, and whether together with its port. */
export type Allowance = 'none' | 'host' | 'host and port'

const TARGET = /^(\[[^\]]+\]|[^\s:/@*[\]]+)(?::(\d{1,5}))?$/

/**
 * Reads the private targets that an operator lets through.
 *
 * @param targets  `HOST[:PORT]`, IPv6 in brackets. A host is compared as it is written in an address, never by what it resolves to.
 * @throws         {TypeError} for an entry that is none of that.
 */
export function readAllowedTargets(targets: readonly string[]): (hostname: string, port: number) => Allowance {
  const named = new Set(targets.map(readTarget))
  return (hostname, port) => {
    if (named.has(`${hostname}:${port}`)) return 'host and port'
    return named.has(hostname) ? 'host' : 'none'
  }
}

/** The one spelling of a host: no brackets, no dot at the end, as `new URL` writes it. */
export function plainHostname(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function readTarget(target: string): string {
  const [, host, port] = TARGET.exec(target.trim()) ?? []
  if (!host || !URL.canParse(`http://${host}`) || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1)
    throw new TypeError(`"${target}" is not a target to allow; write HOST or HOST:PORT, an IPv6 address in brackets`)
  const hostname = plainHostname(new URL(`http://${host}`).hostname)
  return port ? `${hostname}:${Number(port)}` : hostname
}
