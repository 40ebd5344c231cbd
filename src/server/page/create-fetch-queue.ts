import { PageError } from '../../query/index.js'
import { createFairQueue, type FairQueue } from '../budget/index.js'

/** Each page may need 8 MB of memory, and several times as much while it is unpacked. */
const MAX_PAGES = 24
/** The rest is for other clients. */
const MAX_PAGES_PER_CLIENT = 12
const MAX_WAITING = 1_000
const MAX_WAITING_PER_CLIENT = 500
const BUSY_RETRY_MS = 2_000

/** Limits how many pages are in memory at the same time; a page that may not wait fails with `EBUSY`. */
export const createFetchQueue = (): FairQueue =>
  createFairQueue({
    concurrency: MAX_PAGES,
    maxPerClient: MAX_PAGES_PER_CLIENT,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    fullError: () =>
      new PageError('EBUSY', 'Too many pages are being fetched; try again in a few seconds.', {
        retryAfterMs: BUSY_RETRY_MS,
      }),
  })
