import { createCaptureBudget, type CaptureBudget } from '../budget/index.js'
import type { Guard } from './create-guard.js'
import { startEgressProxy, type EgressProxy } from './start-egress-proxy.js'

/** An egress proxy for each page, because Chromium does not tell a shared one which page a request belongs to. */
export interface PageProxies {
  open(): Promise<EgressProxy & { budget: CaptureBudget }>
  /** Closes those that are still open, for example of a browser that is gone. */
  close(): Promise<void>
}

export function createPageProxies(guard: Guard): PageProxies {
  const openProxies = new Set<EgressProxy>()
  return {
    async open() {
      const budget = createCaptureBudget()
      const proxy = await startEgressProxy(guard, budget)
      openProxies.add(proxy)
      const close = () => {
        openProxies.delete(proxy)
        return proxy.close()
      }
      return { ...proxy, budget, close }
    },
    async close() {
      await Promise.all([...openProxies].map((proxy) => proxy.close()))
      openProxies.clear()
    },
  }
}
