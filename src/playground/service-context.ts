import { createContext, useContext } from 'react'

/** The service that the playground sends its requests to. */
interface Service {
  endpoint: { free: string; pro: string }
  /** Held in memory only. */
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
}

const ServiceContext = createContext<Service | undefined>(undefined)

export const ServiceProvider = ServiceContext.Provider

/** @throws  {Error} outside of a `ServiceProvider`. */
export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('useService needs a ServiceProvider around the component.')
  return service
}
