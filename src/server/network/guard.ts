import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { hasLongHost, type HostList } from '../../query/help/index.js'
import { canParseUrl } from '../../query/written-url.js'
import { PageError } from '../../query/index.js'
import { hostnameOf, isHostname } from '../hostnames.js'
import { createOwnAddresses, isPublicAddress, parseDeniedRanges, type ReadInterfaces } from './addresses.js'
import { createHostLookups, type Resolve } from './host-lookups.js'

/** Where to connect: to exactly `address`, which was checked; `hostname` is for the `Host` header and TLS only. */
export interface CheckedTarget {
  /** The host name, without brackets. */
  hostname: string
  port: number
  address: string
  family: 4 | 6
}

/** The check that every request on behalf of a caller passes. */
export interface Guard {
  /**
   * Resolves the host of a URL once and checks all its addresses.
   *
   * @throws  {PageError} `EFORBIDDENURL` for a host that is denied, a port, and an address; `EINVALURL` for a URL that is not
   *          http(s), and for a host name without a public address, whether it exists or not: callers do not learn which names
   *          exist in private; `ETIMEOUT`, `EBUSY` when a name is not resolved in time. Once `signal` aborts, its reason.
   */
  check(url: string | URL, options?: { signal?: AbortSignal | undefined }): Promise<CheckedTarget>
  /** Returns the address from this target's latest check, or checks the target now if there is none. */
  checkConnection(url: string | URL): Promise<CheckedTarget>
  /** This guard for one page that is read or captured, or for one file: look-ups of host names take turns between them. */
  forPage(): Guard
  /**
   * Checks that a host can exist and that the operator has not denied it, synchronously.
   *
   * @param hostname  A host without brackets and without a dot at its end.
   * @throws  {PageError} `EINVALURL`, `EFORBIDDENURL`
   */
  checkHost(hostname: string): void
  /** Records a request on a connection that was checked before. */
  recordRequest(url: string | URL): void
  /**
   * The allowed targets that requests of any caller went to since `startedAt`, a reading of `performance.now()`. A result produced
   * since then needed some of them, and perhaps not all, because requests of the browser cannot be assigned to a caller.
   */
  allowancesSince(startedAt: number): string[]
  /** Whether a target that `allowancesSince` returned is allowed now. */
  isAllowed(allowance: string): boolean
  /** How many checks were refused so far, by reason. */
  refusals(): Readonly<Record<Refusal, number>>
}

/** Why a target is refused: its host is denied, its port is not one for web pages, or its address is not public. */
type Refusal = 'host' | 'port' | 'address'

export interface GuardOptions {
  /** `HOST[:PORT]` of targets that may be private. A port that is named is allowed even if it is otherwise blocked. */
  allowTargets?: readonly string[] | undefined
  /** `ADDRESS/BITS` of ranges that are denied although they are public. Targets of `allowTargets` are allowed all the same. */
  denyTargets?: readonly string[] | undefined
  /** Whether the operator denies a host, even one of `allowTargets`. Default: none. */
  isDeniedHost?: ((hostname: string) => boolean) | undefined
  /** Addresses of this machine, which are denied. Default: the addresses of its network interfaces. */
  readInterfaces?: ReadInterfaces | undefined
  /** Default: the name servers of this machine, and for hosts of `allowTargets` the system's resolver. */
  resolve?: Resolve | undefined
}

/** How long a checked address may be reused. No request takes longer, and every request is checked before it is sent. */
const CHECKED_FOR_MS = 30_000
const MAX_CHECKED_TARGETS = 2_000
/** Much longer than any result takes, with its waits: what it used is read at its end. */
const USE_REMEMBERED_FOR_MS = 600_000

/** Loopback, without a look-up: https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
const LOCALHOST = /(^|\.)localhost$/
const LOOPBACK = '127.0.0.1'

/** @throws {TypeError} for an invalid entry of `allowTargets` or `denyTargets`. */
export function createGuard({
  allowTargets = [],
  denyTargets = [],
  isDeniedHost = () => false,
  readInterfaces,
  resolve,
}: GuardOptions): Guard {
  const allowedPartOf = parseAllowedTargets(allowTargets)
  const isDenied = parseDeniedRanges(denyTargets)
  const isOwn = createOwnAddresses(readInterfaces)
  /** The allowed targets that requests went to, `HOST:PORT`, and when: readings of `performance.now()`. */
  const usedAllowances = new Map<string, number>()
  const refusals: Record<Refusal, number> = { host: 0, port: 0, address: 0 }
  const lookups = createHostLookups(resolve)
  let pages = 0
  const checked = new LRUCache<string, CheckedTarget>({ max: MAX_CHECKED_TARGETS, ttl: CHECKED_FOR_MS })
  const recordUse = (hostname: string, port: number) => {
    const now = performance.now()
    const allowance = `${hostname}:${port}`
    // Deleted first, so that the oldest uses come first.
    usedAllowances.delete(allowance)
    usedAllowances.set(allowance, now)
    for (const [oldest, usedAt] of usedAllowances) {
      if (usedAt >= now - USE_REMEMBERED_FOR_MS) break
      usedAllowances.delete(oldest)
    }
  }
  const isAllowedAddress = (address: string) => isPublicAddress(address) && !isDenied(address) && !isOwn(address)

  function checkHost(hostname: string): void {
    if (!isHostname(hostname)) throw invalidError('its host name has an empty or too long part')
    if (!isDeniedHost(hostname)) return
    refusals.host++
    throw deniedError(hostname)
  }

  async function check(url: string | URL, page: string, signal?: AbortSignal): Promise<CheckedTarget> {
    signal?.throwIfAborted()
    const { hostname, port } = parseTarget(url)
    checkHost(hostname)
    const allowedPart = allowedPartOf(hostname, port)
    if (allowedPart !== 'host and port' && !isAllowedPort(port)) {
      refusals.port++
      throw forbiddenError(hostname, `pages are not fetched from port ${port}`)
    }

    const isTrusted = allowedPart !== 'none'
    const literal = LOCALHOST.test(hostname) ? LOOPBACK : isIP(hostname) ? hostname : undefined
    const addresses = literal ? [literal] : await lookups.addressesOf(hostname, { page, isTrusted, signal })
    const privateAddress = isTrusted ? undefined : addresses.find((each) => !isAllowedAddress(each))
    if (privateAddress !== undefined) {
      refusals.address++
      const refused = forbiddenError(hostname, 'it is not a public address')
      throw literal ? refused : noPublicAddressError(hostname, refused)
    }
    const [address] = addresses
    if (address === undefined) throw noPublicAddressError(hostname)
    if (isTrusted) recordUse(hostname, port)
    const target: CheckedTarget = { hostname, port, address, family: isIP(address) === 6 ? 6 : 4 }
    checked.set(`${hostname}:${port}`, target)
    return target
  }

  const guard: Guard = {
    check: (url, options) => guard.forPage().check(url, options),
    async checkConnection(url) {
      const { hostname, port } = parseTarget(url)
      return checked.get(`${hostname}:${port}`) ?? guard.check(url)
    },
    forPage() {
      const page = String(++pages)
      return { ...guard, check: (url, { signal } = {}) => check(url, page, signal) }
    },
    checkHost,
    recordRequest(url) {
      const { hostname, port } = parseTarget(url)
      if (allowedPartOf(hostname, port) !== 'none') recordUse(hostname, port)
    },
    allowancesSince: (startedAt) =>
      [...usedAllowances].filter(([, usedAt]) => usedAt >= startedAt).map(([allowance]) => allowance),
    isAllowed(allowance) {
      const [, hostname = '', port] = /^(.*):(\d+)$/s.exec(allowance) ?? []
      return allowedPartOf(hostname, Number(port)) !== 'none'
    },
    refusals: () => refusals,
  }
  return guard
}

/** A guard that also refuses each URL outside of the hosts that a request is restricted to; without `allowedHosts` the guard itself. */
export function restrictGuard(guard: Pick<Guard, 'check'>, allowedHosts: HostList | undefined): Pick<Guard, 'check'> {
  if (!allowedHosts) return guard
  return {
    async check(url, options) {
      if (!hasLongHost(String(url)) && canParseUrl(String(url)) && !allowedHosts.allows(url))
        throw notAllowedError(new URL(url).host)
      return guard.check(url, options)
    },
  }
}

/** The error for a hop of a restricted request to another host. */
export const notAllowedError = (host: string): PageError =>
  new PageError('EFORBIDDENURL', `${host} is not among the hosts that this request is restricted to.`, {
    data: { url: 'leads to a host that is not allowed' },
  })

/** Which part of a target the operator allows: none, its host on every web port, or its host on exactly this port. */
type AllowedPart = 'none' | 'host' | 'host and port'

const TARGET = /^(\[[^\]]+\]|[^\s:/@*[\]]+)(?::(\d{1,5}))?$/

/**
 * Parses the private targets that an operator allows.
 *
 * @param targets  `HOST[:PORT]`, IPv6 in brackets. Hosts are compared as they are written in a URL, never by the address
 *   that they resolve to.
 * @throws         {TypeError} for an invalid target.
 */
function parseAllowedTargets(targets: readonly string[]): (hostname: string, port: number) => AllowedPart {
  const allowed = new Set(targets.map(parseAllowedTarget))
  return (hostname, port) => {
    if (allowed.has(`${hostname}:${port}`)) return 'host and port'
    return allowed.has(hostname) ? 'host' : 'none'
  }
}

function parseAllowedTarget(target: string): string {
  const [, host, port] = TARGET.exec(target.trim()) ?? []
  const url = host && canParseUrl(`http://${host}`) ? new URL(`http://${host}`) : undefined
  const hostname = url && hostnameOf(url)
  if (!hostname || !isHostname(hostname) || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1)
    throw new TypeError(`"${target}" is not a target; write HOST or HOST:PORT, with an IPv6 address in brackets`)
  return port ? `${hostname}:${Number(port)}` : hostname
}

function parseTarget(url: string | URL): { hostname: string; port: number } {
  if (hasLongHost(String(url))) throw invalidError('its host name has an empty or too long part')
  const target = canParseUrl(String(url)) ? new URL(url) : undefined
  if (!target || !/^https?:$/.test(target.protocol)) throw invalidError('it is not an absolute http or https URL')
  if (target.username || target.password) throw invalidError('it contains a user name or password')
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
  return { hostname: hostnameOf(target), port }
}

/** Ports from 1024 on of services that an HTTP request could attack. The usual ports of development servers stay allowed. */
const SERVICE_PORTS: readonly (readonly [service: string, ...ports: number[]])[] = [
  ['SOCKS and HTTP proxies', 1080, 3128],
  ['Java RMI, debugger', 1099, 5005],
  [
    'databases',
    1433,
    1434,
    1521,
    3050,
    3306,
    5432,
    5433,
    5984,
    7474,
    7687,
    8086,
    9042,
    9160,
    26257,
    28015,
    33060,
    50000,
  ],
  ['MongoDB', 27017, 27018, 27019, 28017],
  ['Redis, memcached', 6379, 6380, 16379, 26379, 11211],
  ['search engines', 9200, 9300],
  ['queues', 1883, 4222, 5671, 5672, 8883, 9092, 9093, 15672, 25672, 61613, 61616],
  ['cluster coordination', 2181, 2379, 2380, 4001, 7946, 8300, 8301, 8302, 8500, 8501, 8600],
  ['containers', 2375, 2376, 2377, 5555, 6443, 10250, 10255, 10256],
  ['secrets, configuration', 4505, 4506, 8200, 8201],
  ['files', 2049, 3260, 4045, 8020, 9870, 50070, 50075],
  ['mail, news, chat', 2525, 5222, 5269, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6697],
  ['telephony', 1719, 1720, 5060, 5061],
  ['remote desktops and shells', 1723, 2222, 3389, 5900, 5901, 5902, 5903, 5985, 5986, 6000, 6001],
  ['debuggers of browsers and Node', 9222, 9229],
  ['printers, build and version control', 3632, 3690, 4369, 9100, 9418],
]

const BLOCKED_PORTS = new Set(SERVICE_PORTS.flatMap(([, ...ports]) => ports))

/** Whether pages may be fetched from this port: 80, 443, and 1024–65535 without the well-known service ports. */
export function isAllowedPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !BLOCKED_PORTS.has(port))
}

const invalidError = (reason: string) =>
  new PageError('EINVALURL', `The URL cannot be fetched: ${reason}. Check the URL.`, { data: { url: reason } })

/** The same error for a private name and for a name that does not exist; the log has the code of its cause. */
const noPublicAddressError = (hostname: string, cause?: PageError) =>
  new PageError('EINVALURL', `${hostname} has no public address, or does not exist. Check the URL.`, {
    data: { url: 'its host has no public address' },
    cause,
  })

const forbiddenError = (hostname: string, reason: string) =>
  new PageError('EFORBIDDENURL', `${hostname} may not be fetched: ${reason}. Use the URL of a public page.`, {
    data: { url: reason },
  })

const deniedError = (hostname: string) =>
  new PageError(
    'EFORBIDDENURL',
    `${hostname} may not be fetched: this service does not create previews of its pages.`,
    {
      data: { url: 'its host is denied' },
    },
  )
