import type { Store } from './store.js'

/**
 * Wraps a store so that it returns no entry that was produced with an allowance which was revoked since: such a result shows a
 * private page, and the operator has withdrawn it, or another service on the same Redis has it.
 */
export function checkAllowances<Wrapped extends Store>(
  store: Wrapped,
  isAllowed: (allowance: string) => boolean,
): Wrapped {
  return {
    ...store,
    async readEntry<Body>(key: string) {
      const entry = await store.readEntry<Body>(key)
      return entry?.allowances?.every(isAllowed) === false ? undefined : entry
    },
  }
}
