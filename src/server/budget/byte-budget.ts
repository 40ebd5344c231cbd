import { PageError } from '../../query/index.js'

/**
 * Limits the bytes that pages, media files and images have in memory at the same time, in all and for each client.
 *
 * Work reserves memory in steps as it goes, and has all of it until it ends. Each step reserves the most that a body may still
 * need, so that no body waits half read. What is small never waits, so ordinary pages are served while others hold everything.
 * Reservations that wait are granted to the client that holds the least; one that does not fit yet is not overtaken.
 *
 * Work may wait for a second reservation while it has one, as a page does for the images whose colours it reads. That cannot last,
 * because no reservation waits longer than a few seconds.
 */
export interface ByteBudget {
  /** Runs work that may reserve memory, which it has until it ends. */
  run<Result>(client: string, work: (memory: ReservedMemory) => Promise<Result>): Promise<Result>
  /** Bytes that are reserved. */
  reservedBytes(): number
}

/** The memory that one piece of work has reserved. */
export interface ReservedMemory {
  /**
   * Reserves memory before it is used.
   *
   * @throws  {PageError} `EBUSY` when it is not free in time; an aborted `signal` throws its reason.
   */
  reserve(bytes: number, signal: AbortSignal): Promise<Reservation>
  /** Whether a reservation had to wait. A deadline that has passed since then may be due to that. */
  hasWaited(): boolean
}

export interface Reservation {
  /** Gives back what turned out not to be needed. */
  shrinkTo(bytes: number): void
}

export interface ByteBudgetOptions {
  /** Default: 80 MB. */
  maxBytes?: number
  /** How long a reservation waits. Default: 4 seconds. */
  maxWaitMs?: number
}

interface Waiting {
  client: string
  bytes: number
  grant: () => void
}

/** Memory that is free again is returned late, and what is sent or decoded is copied: the service may grow by four times as much. */
const MAX_BYTES = 80_000_000
/** Less than the time limit of any body. */
const MAX_WAIT_MS = 4_000
/** Share of one client; the rest is for others. */
const CLIENT_SHARE = 0.5
/** Work that needs no more never waits; as much as is read of an ordinary page. */
export const UNRESERVED_BYTES = 256 * 1024
const BUSY_RETRY_MS = 2_000

export function createByteBudget({
  maxBytes = MAX_BYTES,
  maxWaitMs = MAX_WAIT_MS,
}: ByteBudgetOptions = {}): ByteBudget {
  const maxShare = maxBytes * CLIENT_SHARE
  const reservedBy = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let reserved = 0

  const reservedOf = (client: string) => reservedBy.get(client) ?? 0
  const isWithinShare = (client: string, bytes: number) => reservedOf(client) + bytes <= maxShare

  function change(client: string, bytes: number): void {
    reserved += bytes
    if (reservedOf(client) + bytes > 0) reservedBy.set(client, reservedOf(client) + bytes)
    else reservedBy.delete(client)
    if (bytes < 0) grantWaiting()
  }

  function grantWaiting(): void {
    for (;;) {
      const [next] = [...waiting]
        .filter(({ client, bytes }) => isWithinShare(client, bytes))
        .toSorted((one, other) => reservedOf(one.client) - reservedOf(other.client))
      if (!next || reserved + next.bytes > maxBytes) return
      waiting.delete(next)
      change(next.client, next.bytes)
      next.grant()
    }
  }

  /** @returns  Whether the reservation had to wait. */
  async function reserve(client: string, bytes: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    let hasWaited = false
    await new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        waiting.delete(turn)
      }
      const fail = (error: unknown) => {
        stopWaiting()
        reject(error)
        // The one behind it may fit.
        grantWaiting()
      }
      const onAbort = () => fail(signal.reason)
      const grant = () => {
        stopWaiting()
        resolve()
      }
      const turn: Waiting = { client, bytes, grant }
      const timer = setTimeout(() => fail(busyError()), maxWaitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.add(turn)
      grantWaiting()
      hasWaited = waiting.has(turn)
    })
    return hasWaited
  }

  return {
    async run(client, work) {
      let own = 0
      let hasWaited = false
      const changeOwn = (bytes: number) => {
        own += bytes
        change(client, bytes)
      }
      const memory: ReservedMemory = {
        async reserve(requested, signal) {
          // More than its share would never be free.
          let bytes = Math.min(requested, maxShare)
          if (own + bytes <= UNRESERVED_BYTES) changeOwn(bytes)
          else {
            const isLate = await reserve(client, bytes, signal)
            own += bytes
            hasWaited ||= isLate
          }
          return {
            shrinkTo(needed) {
              if (needed >= bytes) return
              changeOwn(needed - bytes)
              bytes = needed
            },
          }
        },
        hasWaited: () => hasWaited,
      }
      try {
        return await work(memory)
      } finally {
        changeOwn(-own)
      }
    },
    reservedBytes: () => reserved,
  }
}

/** The error of what could not be read in time because others held the memory. */
export const busyError = () =>
  new PageError('EBUSY', 'The memory for pages and images is in use. Try again in a few seconds.', {
    retryAfterMs: BUSY_RETRY_MS,
  })
