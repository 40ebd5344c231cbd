import { setImmediate } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { createFairQueue, type FairQueue } from '../budget/index.js'
import type { Router } from './router.js'

/** Requests that start in one turn of the event loop. A turn of its own for each would double what a cheap one takes. */
const STARTS_PER_TURN = 4
/** The rest is for other clients. */
const STARTS_PER_CLIENT = 2
/** More than the connections of all clients send before they get a response. */
const MAX_WAITING = 10_000
const BUSY_RETRY_MS = 1_000

/**
 * Starts few requests per turn of the event loop, clients in turn. However much of the main thread the requests of a client
 * take, those of another client wait for two of them at a time. A request starts at once where few others did in this turn.
 */
export function startInTurn(router: Router): void {
  const turns = createFairQueue({
    concurrency: STARTS_PER_TURN,
    maxPerClient: STARTS_PER_CLIENT,
    maxWaiting: MAX_WAITING,
    fullError: busyError,
  })
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
