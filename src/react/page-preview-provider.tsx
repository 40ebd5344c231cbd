'use client'

import { createContext, useContext, type ReactNode } from 'react'
import { useStableQuery, useStableValue, type PreviewProps } from './data/stable-query.js'
import type { PagePreviewProps, ServiceOptions } from './props/page-preview-props.js'
import { splitProps } from './props/split-props.js'

export interface PagePreviewProviderProps extends ServiceOptions {
  /**
   * Default props of every preview below.
   *
   * @example defaults: { layout: 'row', theme: 'dark' }
   */
  defaults?: Partial<PagePreviewProps> | undefined
  /**
   * The part of the app that has previews.
   *
   * @example children: <App />
   */
  children?: ReactNode
}

const DefaultProps = createContext<Partial<PagePreviewProps>>({})

/**
 * Sets the service and the default props of all previews below. Not needed when the service is at `/page-preview`.
 *
 * @example  <PagePreviewProvider hosts="https://previews.example.com">…</PagePreviewProvider>
 */
export function PagePreviewProvider({ hosts, apiKey, fetch, defaults, children }: PagePreviewProviderProps): ReactNode {
  const value = useStableValue({ hosts, apiKey, fetch, ...defaults })
  return <DefaultProps.Provider value={value}>{children}</DefaultProps.Provider>
}

/**
 * What every preview starts from.
 *
 * @param component  The component or hook with these props, for warnings.
 * @param base       Defaults that those of the provider replace.
 */
export function usePreviewProps(
  component: string,
  ownProps: PagePreviewProps,
  base?: Partial<PagePreviewProps>,
): PreviewProps {
  const split = splitProps({ ...base, ...useProviderDefaults(ownProps) })
  return { ...split, component, stableQuery: useStableQuery(split.query, split.options) }
}

/** Props completed by the defaults of the nearest provider. */
export function useProviderDefaults<Props extends Partial<PagePreviewProps>>(props: Props): Props {
  return { ...useContext(DefaultProps), ...props }
}
