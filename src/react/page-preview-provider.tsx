'use client'

import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { previewRequest, type PreviewRequest } from '../card/index.js'
import type { PageQuery } from '../query/index.js'
import { useStableValue } from './deep-equality.js'
import {
  splitProps,
  type PagePreviewProps,
  type PagePreviewQuerySource,
  type ServiceOptions,
  type SplitProps,
} from './props.js'

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
 * Sets the service and the default props of all previews below. Not needed when the service is at `/page-preview`. What a provider
 * leaves out comes from the provider around it; but one with its own `endpoint` does not send the outer `apiKey` there.
 *
 * @example  <PagePreviewProvider endpoint="https://previews.example.com">…</PagePreviewProvider>
 */
export function PagePreviewProvider({
  endpoint,
  apiKey,
  fetch,
  defaults,
  children,
}: PagePreviewProviderProps): ReactNode {
  const value = useStableValue({
    ...useContext(DefaultProps),
    // The key of an outer provider is for its own service.
    ...(endpoint && { endpoint, apiKey: undefined }),
    ...(apiKey && { apiKey }),
    ...(fetch && { fetch }),
    ...defaults,
  })
  return <DefaultProps.Provider value={value}>{children}</DefaultProps.Provider>
}

/** The props of a component or hook, completed by the provider's defaults, split once, with their stable query. */
export interface PreviewProps extends SplitProps {
  /** Names the component or hook in warnings: `PagePreview`, `usePagePreview`. */
  component: string
  stableQuery: StableQuery
}

/** A query with its source. The same object as long as both are equal. */
export interface StableQuery {
  query: PageQuery
  source: PagePreviewQuerySource
  /** The query, parsed on the first call. */
  request: () => PreviewRequest
}

/**
 * What every preview starts from.
 *
 * @param component  The component or hook with these props, for warnings.
 * @param base       Defaults of the component, which the provider's replace.
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

/** The same object as long as a query and its source are equal. */
function useStableQuery(query: PageQuery, source: PagePreviewQuerySource): StableQuery {
  const { endpoint, apiKey, fetch, refreshInterval } = source
  const stable = useStableValue({ query, source: { endpoint, apiKey, fetch, refreshInterval } })
  return useMemo(() => ({ ...stable, request: parseOnce(stable) }), [stable])
}

/** Parses the query on the first call, because most previews of a long page never come near the viewport. */
function parseOnce({ query, source }: Omit<StableQuery, 'request'>): StableQuery['request'] {
  let request: PreviewRequest | undefined
  return () => (request ??= previewRequest(query, source))
}
