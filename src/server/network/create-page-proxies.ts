import { createCaptureBudget, type CaptureBudget } from '../budget/index.js'
import type { Guard } from './create-guard.js'
import { createProxyCredentials } from './proxy-credentials.js'
import { startEgressProxy, type EgressProxy } from './start-egress-proxy.js'

/** An egress proxy for each page, because a shared one could not determine which page a request belongs to. */
export interface PageProxies {
  open(): Promise<EgressProxy & { budget: CaptureBudget }>
  /** Closes those that are still open, for example after the browser has exited. */
  close(): Promise<void>
}

export interface PageProxiesOptions {
  /** IP address to listen on. Default: 127.0.0.1. */
  host?: string | undefined
  /** Name or address by which the browser reaches them. Default: `host`. */
  publicHost?: string | undefined
  /** Whether each requires a secret of its own, as for a browser that was not launched here. Default: false. */
  requireCredentials?: boolean | undefined
}

export function createPageProxies(
  guard: Guard,
  { host, publicHost, requireCredentials = false }: PageProxiesOptions = {},
): PageProxies {
  const openProxies = new Set<EgressProxy>()
  return {
    async open() {
      const budget = createCaptureBudget()
      const credentials = requireCredentials ? createProxyCredentials() : undefined
      const proxy = await startEgressProxy(guard.forPage(), {
        budget,
        host,
        publicHost,
        credentials,
      })
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
