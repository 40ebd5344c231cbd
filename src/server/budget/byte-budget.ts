import { busyError } from '../busy-error.js'

/**
 * Limits the bytes that pages, media files and images have in memory at the same time, in all and for each client.
 *
 * Work reserves memory in steps as it goes, and keeps it until it finishes. Each step reserves the most that a body may still
 * need, so that no body waits half read. What is small never waits, so ordinary pages are served while others hold everything.
 * Reservations that wait are granted to the client that holds the least; a reservation that does not fit yet is not overtaken. A reserve is for
 * clients that have next to nothing, so that few clients that hold the rest do not stop the pages of others.
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

interface WaitingReservation {
  client: string
  bytes: number
  grant: (pool: Pool) => void
}

/** Where reserved bytes are counted. */
interface Pool {
  maxBytes: number
  reserved: number
}

/** The process may grow by four times this: freed memory is returned late, and bytes are copied when they are sent or decoded. */
const MAX_BYTES = 52_000_000
/** Memory in addition to the rest; each client that has nothing else reserved may have one page of it. */
const RESERVE_BYTES = 16_000_000
/** How long a reservation waits: less than the time limit of any body. */
const MAX_WAIT_MS = 4_000
/** Share of one client, enough for the largest media file; the rest is for others. */
const CLIENT_SHARE = 0.5
/** Work that needs no more never waits; as much as is read of an ordinary page. */
export const UNRESERVED_BYTES = 256 * 1024
/** The most that one page may reserve, the reserve included, beside what never waits. */
const MAX_BYTES_WITH_RESERVE = 4_000_000 + UNRESERVED_BYTES

export function createByteBudget({
  maxBytes = MAX_BYTES,
  reserveBytes = RESERVE_BYTES,
  maxWaitMs = MAX_WAIT_MS,
}: { maxBytes?: number; reserveBytes?: number; maxWaitMs?: number } = {}): ByteBudget {
  const maxShare = maxBytes * CLIENT_SHARE
  const reservedBy = new Map<string, number>()
  const waiting = new Set<WaitingReservation>()
  const general: Pool = { maxBytes, reserved: 0 }
  const reserve: Pool = { maxBytes: reserveBytes, reserved: 0 }

  const reservedOf = (client: string) => reservedBy.get(client) ?? 0
  const isWithinShare = (client: string, bytes: number) => reservedOf(client) + bytes <= maxShare

  const fits = (pool: Pool, bytes: number) => pool.reserved + bytes <= pool.maxBytes
  const mayUseReserve = ({ client, bytes }: WaitingReservation) =>
    reservedOf(client) + bytes <= MAX_BYTES_WITH_RESERVE && fits(reserve, bytes)

  function change(client: string, pool: Pool, bytes: number): void {
    pool.reserved += bytes
    if (reservedOf(client) + bytes > 0) reservedBy.set(client, reservedOf(client) + bytes)
    else reservedBy.delete(client)
    if (bytes < 0) grantWaiting()
  }

  function grantWaiting(): void {
    for (;;) {
      const [next] = [...waiting]
        .filter(({ client, bytes }) => isWithinShare(client, bytes))
        .toSorted((one, other) => reservedOf(one.client) - reservedOf(other.client))
      if (!next) return
      if (fits(general, next.bytes)) grant(next, general)
      else break
    }
    for (const each of waiting) if (mayUseReserve(each)) grant(each, reserve)
  }

  function grant(reservation: WaitingReservation, pool: Pool): void {
    waiting.delete(reservation)
    change(reservation.client, pool, reservation.bytes)
    reservation.grant(pool)
  }

  /** Resolves with the pool that the bytes are of, and whether the reservation had to wait. */
  async function waitForMemory(client: string, bytes: number, signal: AbortSignal) {
    signal.throwIfAborted()
    let hasWaited = false
    const pool = await new Promise<Pool>((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        waiting.delete(reservation)
      }
      const fail = (error: unknown) => {
        stopWaiting()
        reject(error)
        // The next one may fit.
        grantWaiting()
      }
      const onAbort = () => fail(signal.reason)
      const reservation: WaitingReservation = {
        client,
        bytes,
        grant(pool) {
          stopWaiting()
          resolve(pool)
        },
      }
      const timer = setTimeout(() => fail(noMemoryError()), maxWaitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.add(reservation)
      grantWaiting()
      hasWaited = waiting.has(reservation)
    })
    return { pool, hasWaited }
  }

  return {
    async run(client, work) {
      let own = 0
      let hasWaited = false
      let hasEnded = false
      const reservations = new Set<{ pool: Pool; bytes: number }>()
      const memory: ReservedMemory = {
        async reserve(requested, signal) {
          // More than its share would never be free.
          const bytes = Math.min(requested, maxShare)
          const reservation = { pool: general, bytes }
          if (hasEnded) throw endedError()
          if (own + bytes <= UNRESERVED_BYTES) change(client, general, bytes)
          else {
            const granted = await waitForMemory(client, bytes, signal)
            reservation.pool = granted.pool
            hasWaited ||= granted.hasWaited
            // Another part of the work may have failed, so nothing would give it back later.
            if (hasEnded) {
              change(client, granted.pool, -bytes)
              throw endedError()
            }
          }
          own += bytes
          reservations.add(reservation)
          return {
            shrinkTo(needed) {
              const surplus = reservation.bytes - needed
              if (hasEnded || surplus <= 0) return
              reservation.bytes = needed
              own -= surplus
              change(client, reservation.pool, -surplus)
            },
          }
        },
        hasWaited: () => hasWaited,
      }
      try {
        return await work(memory)
      } finally {
        hasEnded = true
        for (const { pool, bytes } of reservations) change(client, pool, -bytes)
      }
    },
    reservedBytes: () => general.reserved + reserve.reserved,
  }
}

const endedError = () => new Error('The work that reserves memory has ended.')

/** The error of what could not be read in time because others held the memory. */
export const noMemoryError = () => busyError('The service has no free memory for pages and images right now')
