'use client'

import { createContext, useContext, type ReactNode } from 'react'
import { useStable, type ServiceOptions } from './data/index.js'
import type { PagePreviewProps } from './page-preview-props.js'

export interface PagePreviewProviderProps extends ServiceOptions {
  /** Props for every preview below that does not say otherwise. */
  defaults?: Partial<PagePreviewProps> | undefined
  children?: ReactNode
}

const Defaults = createContext<Partial<PagePreviewProps>>({})

/** Says once where the service is and what previews look like; never needed when the service is at `/page-preview`. */
export function PagePreviewProvider({ hosts, apiKey, fetch, defaults, children }: PagePreviewProviderProps): ReactNode {
  const value = useStable({ hosts, apiKey, fetch, ...defaults })
  return <Defaults.Provider value={value}>{children}</Defaults.Provider>
}

/** Fills in what the nearest provider says; a prop that is given wins. */
export function useDefaults<P extends Partial<PagePreviewProps>>(props: P): P {
  return { ...useContext(Defaults), ...props }
}
