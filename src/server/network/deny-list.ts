import ipaddr from 'ipaddr.js'
import { unwatchFile, watchFile, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { parseHost } from '../hostnames.js'
import { embeddedV4 } from './addresses.js'

/** The hosts that nothing is fetched from. */
export interface DenyList {
  /** @param hostname  As `new URL` writes it, without brackets. */
  includes(hostname: string): boolean
  close(): void
}

export interface DenyListOptions {
  hosts?: readonly string[] | undefined
  /** One host per line; `#` begins a comment. It is read again when it changes, unless it is empty. */
  file?: string | undefined
  /** How often the file is checked for changes. Default: 2 seconds. */
  intervalMs?: number
  /** Called when the changed file cannot be used; the hosts that it had stay denied. */
  onError: (error: unknown) => void
}

const MAX_FILE_BYTES = 4_000_000

/** @throws  Error with a sentence when the file cannot be read; {TypeError} for an invalid host. */
export async function openDenyList({
  hosts = [],
  file,
  intervalMs = 2_000,
  onError,
}: DenyListOptions): Promise<DenyList> {
  const readHosts = async () => parseDeniedHosts([...hosts, ...(file === undefined ? [] : await readLines(file))])
  let isDenied = await readHosts()
  let reloading = Promise.resolve()
  const reload = ({ size, nlink }: Stats) => {
    // A program that writes the file may truncate it first; the previous hosts stay denied until it is written.
    if (size === 0 && nlink > 0) return
    // One after the other: of two changes, the reading of the earlier one may take longer.
    reloading = reloading.then(readHosts).then((changed) => void (isDenied = changed), onError)
  }
  // `watchFile` polls, because network drives and volumes of containers may not emit events.
  if (file !== undefined) watchFile(file, { persistent: false, interval: intervalMs }, reload)
  return {
    includes: (hostname) => isDenied(hostname),
    close: () => (file === undefined ? undefined : unwatchFile(file, reload)),
  }
}

async function readLines(path: string): Promise<string[]> {
  const text = await readText(path).catch((cause: unknown) => {
    throw new Error(`The file ${path} of --deny-file cannot be read (${String(cause)}).`, { cause })
  })
  return text.split(/\r?\n/).flatMap((line) => line.split('#', 1)[0]!.trim() || [])
}

async function readText(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > MAX_FILE_BYTES) throw new Error(`it is longer than ${MAX_FILE_BYTES} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** How much of an invalid host its error quotes. */
const MAX_SHOWN_CHARS = 255

/**
 * Parses the hosts that an operator denies.
 *
 * @param hosts  Names or IP addresses without port; a name covers its subdomains, and an IPv4 address the IPv6 addresses that contain it.
 * @returns      Whether a host, as `new URL` writes it and without brackets, is denied.
 * @throws       {TypeError} for an invalid host.
 */
export function parseDeniedHosts(hosts: readonly string[]): (hostname: string) => boolean {
  const denied = new Set(hosts.map(parseDeniedHost))
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

function parseDeniedHost(text: string): string {
  const host = parseHost(text)
  if (host !== undefined) return host
  throw new TypeError(`"${text.slice(0, MAX_SHOWN_CHARS)}" is not a host to deny; write example.com or an IP address`)
}
