import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { PageError } from '../../query/index.js'
import { isAllowedPort } from './allowed-port.js'
import { plainHostname, readAllowedTargets } from './allowed-targets.js'
import { isPublicAddress } from './public-address.js'

/** Where to connect: `address` was checked and is to be dialled as it is; `hostname` is for `Host` and TLS only. */
export interface CheckedTarget {
  /** Without brackets. */
  hostname: string
  port: number
  address: string
  family: 4 | 6
}

/** The one decision that every byte fetched for a caller goes through. */
export interface Guard {
  /**
   * Resolves a target once and decides about all its addresses.
   *
   * @throws  {PageError} `EFORBIDDENURL`; `EINVALURL` when not http(s), or the name does not resolve; `ETIMEOUT` for slow DNS.
   *          An aborted `signal` throws its own reason.
   */
  check(url: string | URL, options?: { signal?: AbortSignal | undefined }): Promise<CheckedTarget>
}

type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export interface GuardOptions {
  /** `HOST[:PORT]` that may be private; a named port is also free of the port rule. */
  allowTargets?: readonly string[] | undefined
  /** Default: the system's resolver. */
  resolve?: Resolve | undefined
}

const RESOLVE_TIMEOUT_MS = 5_000

/** @throws {TypeError} for an `allowTargets` entry that cannot be read. */
export function createGuard({ allowTargets = [], resolve = resolveBySystem }: GuardOptions): Guard {
  const allowanceOf = readAllowedTargets(allowTargets)
  return {
    async check(url, { signal } = {}) {
      signal?.throwIfAborted()
      const { hostname, port } = readTarget(url)
      const allowance = allowanceOf(hostname, port)
      if (allowance !== 'host and port' && !isAllowedPort(port))
        throw forbidden(hostname, `port ${port} is not one that web pages are served on`)

      const addresses = isIP(hostname) ? [{ address: hostname }] : await resolveInTime(hostname, resolve, signal)
      if (allowance === 'none' && !addresses.every(({ address }) => isPublicAddress(address)))
        throw forbidden(hostname, 'it is not a public address')
      const [first] = addresses
      if (!first) throw invalid(`the host name ${hostname} has no address`)
      const { address } = first
      return { hostname, port, address, family: isIP(address) === 6 ? 6 : 4 }
    },
  }
}

function readTarget(url: string | URL): { hostname: string; port: number } {
  const target = URL.canParse(String(url)) ? new URL(url) : undefined
  if (!target || !/^https?:$/.test(target.protocol)) throw invalid('it is not an absolute http or https address')
  if (target.username || target.password) throw invalid('it carries a user name or password')
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
  return { hostname: plainHostname(target.hostname), port }
}

async function resolveInTime(hostname: string, resolve: Resolve, signal: AbortSignal | undefined) {
  let stop: (() => void) | undefined
  const stopped = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal?.reason)
    const timer = setTimeout(() => reject(slow(hostname)), RESOLVE_TIMEOUT_MS)
    signal?.addEventListener('abort', onAbort, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  })
  const resolved = resolve(hostname).catch((cause: unknown) => {
    throw invalid(`the host name ${hostname} cannot be resolved`, cause)
  })
  try {
    return await Promise.race([resolved, stopped])
  } finally {
    stop?.()
  }
}

/** IPv4 first: a machine without IPv6 is common, and only one address is dialled. */
const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: false })

const invalid = (reason: string, cause?: unknown) =>
  new PageError('EINVALURL', `The page cannot be asked for: ${reason}. Check the address.`, {
    data: { url: reason },
    cause,
  })

const forbidden = (hostname: string, reason: string) =>
  new PageError('EFORBIDDENURL', `${hostname} may not be asked for: ${reason}. Give the address of a public page.`, {
    data: { url: reason },
  })

const slow = (hostname: string) =>
  new PageError('ETIMEOUT', `The host name ${hostname} was not resolved within 5 seconds. Try again later.`, {
    data: { url: 'the host name was not resolved in time' },
  })
