import { setTimeout as delay } from 'node:timers/promises'
import type { Dependencies, Store } from '../store/index.js'

/** Each remote store is checked at most once in this time, however many health checks there are. */
const MIN_INTERVAL_MS = 5_000
/** Health checks wait for a second or two, and a store that hangs must not make this instance fail them. */
const MAX_WAIT_MS = 300

/** The state of the remote stores: checked at intervals, and updated by requests in between. */
export function createDependencyCheck(
  store: Pick<Store, 'dependencies' | 'checkDependencies'>,
): () => Promise<Dependencies> {
  let checkedAt = -Infinity
  let checking = Promise.resolve()
  return async () => {
    if (performance.now() - checkedAt >= MIN_INTERVAL_MS) {
      checkedAt = performance.now()
      checking = store.checkDependencies()
    }
    await Promise.race([checking, delay(MAX_WAIT_MS, undefined, { ref: false })])
    return store.dependencies()
  }
}
