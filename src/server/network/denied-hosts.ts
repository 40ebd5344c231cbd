import ipaddr from 'ipaddr.js'
import { hostnameOf, isHostname } from '../hostnames/index.js'
import { embeddedV4 } from './embedded-ipv4.js'

/** Longer than any host name: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4 */
const MAX_HOST_CHARS = 255

/**
 * Parses the hosts that an operator denies.
 *
 * @param hosts  Names or IP addresses without port; a name covers its subdomains, and an IPv4 address the IPv6 addresses that contain it.
 * @returns      Whether a host, as `new URL` writes it and without brackets, is denied.
 * @throws       {TypeError} for an invalid host.
 */
export function parseDeniedHosts(hosts: readonly string[]): (hostname: string) => boolean {
  const denied = new Set(hosts.map(parseHost))
  const isDenied = (hostname: string) => {
    for (let name = hostname; ; name = name.slice(name.indexOf('.') + 1)) {
      if (denied.has(name)) return true
      if (!name.includes('.')) return false
    }
  }
  return (hostname) => {
    const embedded = ipaddr.IPv6.isValid(hostname) ? embeddedV4(ipaddr.IPv6.parse(hostname)) : undefined
    return isDenied(hostname) || (embedded !== undefined && isDenied(String(embedded.address)))
  }
}

function parseHost(text: string): string {
  const url = `http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`
  const parsed =
    text.length <= MAX_HOST_CHARS && /^[^\s/?#@\\*]+$/.test(text) && URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || parsed.port || !isHostname(hostnameOf(parsed)))
    throw new TypeError(`"${text.slice(0, MAX_HOST_CHARS)}" is not a host to deny; write example.com or an IP address`)
  return hostnameOf(parsed)
}
