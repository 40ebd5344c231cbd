import { createContext, useContext } from 'react'

/** Where the playground asks, and through what. */
export interface Service {
  hosts: { free: string; pro: string }
  /** Kept in memory only. */
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
}

const ServiceContext = createContext<Service | undefined>(undefined)

export const ServiceProvider = ServiceContext.Provider

/** @throws  Outside of a `ServiceProvider`. */
export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('There is no ServiceProvider around this component.')
  return service
}
