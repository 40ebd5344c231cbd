import { setImmediate } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { createFairQueue, type FairQueue } from '../budget/index.js'
import type { Router } from './router.js'

/** More than the connections of all clients send before they get a response. */
const MAX_WAITING = 10_000
const BUSY_RETRY_MS = 1_000

/**
 * Starts one request per turn of the event loop, clients in turn. However much of the main thread the requests of a client
 * take, those of another client wait for one of them at a time. A request starts at once where no other one did in this turn.
 */
export function startInTurn(router: Router): void {
  const turns = createFairQueue({ concurrency: 1, maxWaiting: MAX_WAITING, fullError: busyError })
  router.use(async (c, next) => {
    await nextTurn(turns, c.var.request.client, c.req.raw.signal)
    await next()
  })
}

/** Resolves when it is the turn of the client, which ends with that of the event loop. */
const nextTurn = (turns: FairQueue, client: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const useTurn = () => {
      resolve()
      return setImmediate()
    }
    turns.run({ client }, useTurn, signal).catch(reject)
  })

const busyError = () =>
  new PageError('EBUSY', 'Too many requests are waiting; retry in a second.', { retryAfterMs: BUSY_RETRY_MS })
