import type { Store } from './store.js'

/**
 * Hides the entries that needed an allowed target which this service does not allow: the operator has withdrawn it, or
 * another service on the same Redis wrote the entry. Such a result may show a private page.
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
