import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { createSingleFlight, TransientError, withTimeout } from '../jobs/index.js'
import { hasErrorCode } from '../node-errors.js'

/** Resolves host names. */
export interface HostLookups {
  /**
   * Looks up the addresses of a host name, of both families; look-ups of a name for one page at the same time share one.
   *
   * @returns  The one to connect to first. Empty for a name that does not exist or has no address.
   * @throws   {PageError} `ETIMEOUT` when no name server responds, `EINVALURL` when it fails, `EBUSY` when too many look-ups wait;
   *           all are transient, so none is cached. An aborted `signal` throws its own reason.
   */
  addressesOf(hostname: string, options: LookupOptions): Promise<string[]>
}

interface LookupOptions {
  /** What the name is looked up for; pages take turns, and none waits for another one's names. */
  page: string
  /** Whether the operator has named the host, which may then be in the hosts file or have a search domain. */
  isTrusted: boolean
  signal: AbortSignal | undefined
}

/** Looks up a name, and rejects with an error that has a `code` of `node:dns`. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** The limit of one look-up, the time in which it waits for its turn included. */
const LOOKUP_TIMEOUT_MS = 5_000
/** The time limit of one name server; `c-ares` doubles it in each round through the servers. */
const SERVER_TIMEOUT_MS = 1_500
const SERVER_TRIES = 3
/** How long the other family is waited for once one has been received. */
const OTHER_FAMILY_MS = 1_000
/** Each needs a socket. More than the pages that are read, and the files and captures, can have at the same time. */
const MAX_LOOKUPS = 256
/** The queues of pages, files and captures limit how many pages of one client there are. */
const MAX_LOOKUPS_PER_PAGE = 8
const MAX_WAITING = 4_096
const MAX_WAITING_PER_PAGE = 512

/** @param resolve  Default: the name servers of this machine, and for a trusted host the system. */
export function createHostLookups(resolve?: Resolve): HostLookups {
  const { resolveByNameServer, resolveBySystem } = resolve
    ? { resolveByNameServer: resolve, resolveBySystem: resolve }
    : { resolveByNameServer: lookUpByNameServer, resolveBySystem: createSystemLookup() }
  const flights = createSingleFlight<string[]>()
  const queue = createFairQueue({
    concurrency: MAX_LOOKUPS,
    maxPerClient: MAX_LOOKUPS_PER_PAGE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_PAGE,
    fullError,
  })

  async function lookUp(hostname: string, { page, isTrusted }: LookupOptions, signal: AbortSignal) {
    try {
      // The clients of this queue are pages; `MAX_LOOKUPS_PER_PAGE` says what limits the pages of one client.
      const addresses = isTrusted
        ? await resolveBySystem(hostname, signal)
        : await queue.run({ client: page }, () => resolveByNameServer(hostname, signal), signal)
      return [...addresses]
    } catch (error) {
      signal.throwIfAborted()
      if (isAbsence(error)) return []
      throw error instanceof PageError ? error : failedError(hostname, error)
    }
  }

  return {
    addressesOf: (hostname, options) =>
      flights.run(
        `${options.isTrusted ? '' : options.page} ${hostname}`,
        (flight) =>
          withTimeout((signal) => lookUp(hostname, options, signal), {
            signal: flight,
            timeoutMs: LOOKUP_TIMEOUT_MS,
            timeoutError: () => timeoutError(hostname),
          }),
        options.signal ? { signal: options.signal } : {},
      ),
  }
}

/**
 * Asks the name servers of `resolv.conf`, which is read for each look-up. Neither the hosts file nor a search domain counts, and
 * no thread is occupied as by `getaddrinfo`, which has two for the whole process and cannot be cancelled.
 */
async function lookUpByNameServer(hostname: string, signal: AbortSignal): Promise<string[]> {
  // One for each look-up, because `cancel` ends all look-ups of a resolver.
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const ended = new AbortController()
  const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  for (const family of families)
    // Only one address is used, so a family whose server does not answer is not missed.
    void family.then(() => delay(OTHER_FAMILY_MS, undefined, { signal: ended.signal })).then(cancel, () => undefined)
  const results = await Promise.allSettled(families)
  ended.abort()
  signal.removeEventListener('abort', cancel)

  // IPv4 first, because only one address is tried and many machines have no IPv6.
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const failure = results.find((result) => result.status === 'rejected' && !isAbsence(result.reason))
  if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason
  return addresses
}

/** Each name is looked up once at a time, because a look-up by the system occupies a thread until it ends by itself. */
function createSystemLookup(): Resolve {
  const lookups = createSingleFlight<string[]>()
  const lookUp = async (hostname: string) =>
    (await lookup(hostname, { all: true, verbatim: false })).map(({ address }) => address)
  return (hostname, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      lookups.run(hostname, () => lookUp(hostname)).then(resolve, reject)
    })
}

/** Whether a name server has answered that there is no such name, or no address of it. */
const isAbsence = (error: unknown) => hasErrorCode(error, 'ENOTFOUND', 'ENODATA', 'EBADNAME')

const timeoutError = (hostname: string) =>
  new PageError('ETIMEOUT', `The host name ${hostname} was not resolved within 5 seconds. Try again later.`, {
    data: { url: 'the host name was not resolved in time' },
    cause: new TransientError('no name server has responded'),
  })

const failedError = (hostname: string, cause: unknown) =>
  hasErrorCode(cause, 'ETIMEOUT', 'EAI_AGAIN')
    ? timeoutError(hostname)
    : new PageError(
        'EINVALURL',
        `The host name ${hostname} could not be resolved: its name server failed. Check the URL, or try again later.`,
        {
          data: { url: 'the host name could not be resolved' },
          cause: new TransientError('the name server failed', { cause }),
        },
      )

const fullError = () => busyError('Too many host names are being looked up')
