import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { PageError } from '../../query/index.js'
import { isAllowedPort } from './is-allowed-port.js'
import { normalizeHostname, parseAllowedTargets } from './allowed-targets.js'
import { parseDeniedRanges } from './denied-ranges.js'
import { isPublicAddress } from './is-public-address.js'
import { createOwnAddresses, type ReadInterfaces } from './own-addresses.js'
import { createUsedAllowances } from './used-allowances.js'

/** Where to connect: to exactly `address`, which was checked; `hostname` is for the `Host` header and TLS only. */
export interface CheckedTarget {
  /** Without brackets. */
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
   * @throws  {PageError} `EFORBIDDENURL`; `EINVALURL` when the URL is not http(s) or its host does not resolve; `ETIMEOUT`
   *          when DNS is slow. Once `signal` aborts, its reason.
   */
  check(url: string | URL, options?: { signal?: AbortSignal | undefined }): Promise<CheckedTarget>
  /**
   * Checks that the operator has not denied a host, synchronously.
   *
   * @param hostname  Without brackets and without a dot at its end.
   * @throws  {PageError} `EFORBIDDENURL`
   */
  checkHost(hostname: string): void
  /** Records a request on a connection that was checked before. */
  recordRequest(url: string | URL): void
  /**
   * The allowed targets that requests of any caller went to since `startedAt`, a reading of `performance.now()`: those that a
   * result produced since then needed, and perhaps more, because requests of the browser cannot be assigned to a caller.
   */
  allowancesSince(startedAt: number): string[]
  /** Whether a target that `allowancesSince` returned is allowed now. */
  isAllowed(allowance: string): boolean
  /** How many checks were refused so far, by reason. */
  refusals(): Readonly<Record<Refusal, number>>
}

/** Why a target is refused: its host is denied, its port is not one for web pages, or its address is not public. */
type Refusal = 'host' | 'port' | 'address'

type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export interface GuardOptions {
  /** `HOST[:PORT]` of targets that may be private. A port that is named is allowed even where ports are blocked. */
  allowTargets?: readonly string[] | undefined
  /** `ADDRESS/BITS` of ranges that are denied although they are public. Targets of `allowTargets` are allowed all the same. */
  denyTargets?: readonly string[] | undefined
  /** Whether the operator denies a host, even one of `allowTargets`. Default: none. */
  isDeniedHost?: ((hostname: string) => boolean) | undefined
  /** Addresses of this machine are denied. Default: those of its network interfaces. */
  readInterfaces?: ReadInterfaces | undefined
  /** Default: the system's resolver. */
  resolve?: Resolve | undefined
}

const RESOLVE_TIMEOUT_MS = 5_000

/** @throws {TypeError} for an invalid entry of `allowTargets` or `denyTargets`. */
export function createGuard({
  allowTargets = [],
  denyTargets = [],
  isDeniedHost = () => false,
  readInterfaces,
  resolve = resolveBySystem,
}: GuardOptions): Guard {
  const allowedPartOf = parseAllowedTargets(allowTargets)
  const isDenied = parseDeniedRanges(denyTargets)
  const isOwn = createOwnAddresses(readInterfaces)
  const used = createUsedAllowances()
  const refusals: Record<Refusal, number> = { host: 0, port: 0, address: 0 }
  const refuse = (refusal: Refusal, hostname: string, reason: string): never => {
    refusals[refusal]++
    throw forbiddenError(hostname, reason)
  }
  const isAllowedAddress = (address: string) => isPublicAddress(address) && !isDenied(address) && !isOwn(address)
  const checkHost = (hostname: string) => {
    if (!isDeniedHost(hostname)) return
    refusals.host++
    throw deniedError(hostname)
  }
  return {
    checkHost,
    async check(url, { signal } = {}) {
      signal?.throwIfAborted()
      const { hostname, port } = parseTarget(url)
      checkHost(hostname)
      const allowedPart = allowedPartOf(hostname, port)
      if (allowedPart !== 'host and port' && !isAllowedPort(port))
        refuse('port', hostname, `pages are not fetched from port ${port}`)

      const addresses = isIP(hostname) ? [{ address: hostname }] : await resolveWithTimeout(hostname, resolve, signal)
      if (allowedPart === 'none' && !addresses.every(({ address }) => isAllowedAddress(address)))
        refuse('address', hostname, 'it is not a public address')
      if (allowedPart !== 'none') used.add(hostname, port)
      const [first] = addresses
      if (!first) throw invalidError(`the host name ${hostname} has no address`)
      const { address } = first
      return { hostname, port, address, family: isIP(address) === 6 ? 6 : 4 }
    },
    recordRequest(url) {
      const { hostname, port } = parseTarget(url)
      if (allowedPartOf(hostname, port) !== 'none') used.add(hostname, port)
    },
    allowancesSince: (startedAt) => used.since(startedAt),
    isAllowed(allowance) {
      const [, hostname = '', port] = /^(.*):(\d+)$/s.exec(allowance) ?? []
      return allowedPartOf(hostname, Number(port)) !== 'none'
    },
    refusals: () => refusals,
  }
}

function parseTarget(url: string | URL): { hostname: string; port: number } {
  const target = URL.canParse(String(url)) ? new URL(url) : undefined
  if (!target || !/^https?:$/.test(target.protocol)) throw invalidError('it is not an absolute http or https URL')
  if (target.username || target.password) throw invalidError('it contains a user name or password')
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
  return { hostname: normalizeHostname(target.hostname), port }
}

async function resolveWithTimeout(hostname: string, resolve: Resolve, signal: AbortSignal | undefined) {
  let cleanUp: (() => void) | undefined
  const interrupted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal?.reason)
    const timer = setTimeout(() => reject(timeoutError(hostname)), RESOLVE_TIMEOUT_MS)
    signal?.addEventListener('abort', onAbort, { once: true })
    cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  })
  const resolved = resolve(hostname).catch((cause: unknown) => {
    throw invalidError(`the host name ${hostname} cannot be resolved`, cause)
  })
  try {
    return await Promise.race([resolved, interrupted])
  } finally {
    cleanUp?.()
  }
}

/** IPv4 first, because only one address is tried and many machines have no IPv6. */
const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: false })

const invalidError = (reason: string, cause?: unknown) =>
  new PageError('EINVALURL', `The URL cannot be fetched: ${reason}. Check the URL.`, {
    data: { url: reason },
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

const timeoutError = (hostname: string) =>
  new PageError('ETIMEOUT', `The host name ${hostname} was not resolved within 5 seconds. Try again later.`, {
    data: { url: 'the host name was not resolved in time' },
  })
