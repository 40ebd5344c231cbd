import type { Store } from '../store.js'
import { PURGES_PER_READ, type Purge } from './purge.js'
import type { Tombstones } from './tombstones.js'

interface FollowPurgesOptions {
  /** Receives the purges before `onPurges` is called. */
  tombstones: Tombstones
  /** Called with the purges that were logged since the last call, oldest first. */
  onPurges: (purges: readonly Purge[]) => void
  /** Receives errors of reading the log. */
  onError: (error: unknown) => void
}

export interface PurgeFollower {
  /** Number of the last purge that is known here. */
  last(): number
  /** Reads everything that was logged before the call. Never rejects. */
  refresh(): Promise<void>
  /** Ends the polling, and waits for the last read. */
  close(): Promise<void>
}

const POLL_INTERVAL_MS = 300

/** Reads the log of purges now, and then a few times a second. */
export async function followPurges(
  store: Pick<Store, 'readPurges'>,
  { tombstones, onPurges, onError }: FollowPurgesOptions,
): Promise<PurgeFollower> {
  let last = 0
  let isClosed = false
  let reading = Promise.resolve()
  let polling: NodeJS.Timeout

  const refresh = () =>
    (reading = reading.then(readNew).catch((error: unknown) => (isClosed ? undefined : onError(error))))

  async function readNew(): Promise<void> {
    const log = await store.readPurges(last)
    if (log.last < last) {
      // The log was lost with the cache, and begins again.
      tombstones.clear()
      last = 0
      return log.last > 0 ? readNew() : undefined
    }
    if (log.purges.length === 0) return
    for (const logged of log.purges) tombstones.add(logged)
    last = log.purges.at(-1)!.sequence
    onPurges(log.purges.map(({ purge }) => purge))
    if (log.purges.length === PURGES_PER_READ) await readNew()
  }

  async function poll(): Promise<void> {
    await refresh()
    if (!isClosed) polling = setTimeout(() => void poll(), POLL_INTERVAL_MS).unref()
  }

  await poll()
  return {
    last: () => last,
    refresh,
    async close() {
      isClosed = true
      clearTimeout(polling)
      await reading
    },
  }
}
