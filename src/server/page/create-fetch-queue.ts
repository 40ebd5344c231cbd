import { PageError } from '../../query/index.js'
import { createFairQueue, type FairQueue } from '../budget/index.js'

/** Each page may need 8 MB of memory, and several times as much while it is unpacked. */
const MAX_PAGES = 12
/** In addition, each of a client that has no other. */
const RESERVE = 12
const MAX_WAITING = 1_000
const MAX_WAITING_PER_CLIENT = 500
const BUSY_RETRY_MS = 2_000

/** Limits how many pages are in memory at the same time; a page that may not wait fails with `EBUSY`. */
export const createFetchQueue = (): FairQueue =>
  createFairQueue({
    concurrency: MAX_PAGES,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    fullError: () =>
      new PageError('EBUSY', 'Too many pages are being fetched; try again in a few seconds.', {
        retryAfterMs: BUSY_RETRY_MS,
      }),
  })
