'use client'

import { createContext, useContext, type ReactNode } from 'react'
import { useStableValue, type StableQuery } from './preview-query.js'
import {
  assignDefined,
  splitProps,
  type AppSettings,
  type CaptureProps,
  type PagePreviewProps,
  type SplitProps,
} from './props.js'

export interface PagePreviewProviderProps extends AppSettings {
  /**
   * Default props of every preview below; its `query` and `classNames` are completed by those of each preview.
   *
   * @example defaults: { layout: 'row', theme: 'dark' }
   */
  defaults?: Omit<Partial<PagePreviewProps>, 'url' | 'data' | 'children' | 'ref' | 'server'> | undefined
  /**
   * The part of the app that has previews.
   *
   * @example children: <App />
   */
  children?: ReactNode
}

interface Provided {
  settings: AppSettings
  defaults: Partial<PagePreviewProps>
}

const ProviderContext = createContext<Provided>({ settings: {}, defaults: {} })

/**
 * Sets what all previews below share. Not needed when the service is at `/page-preview`. What a provider leaves out comes
 * from the provider around it; but one with its own `endpoint` does not send the outer `apiKey` there.
 *
 * @example  <PagePreviewProvider endpoint="https://previews.example.com">…</PagePreviewProvider>
 */
export function PagePreviewProvider({
  // These are settings wherever they are written.
  defaults: { endpoint, apiKey, query, ...defaults } = {},
  children,
  ...ownSettings
}: PagePreviewProviderProps): ReactNode {
  const outer = useContext(ProviderContext)
  const { apiKey: headerKey = apiKey, ...headers } = query?.headers ?? {}
  const settings: AppSettings = definedOnly({ endpoint, apiKey: headerKey, ...definedOnly(ownSettings) })
  const value = useStableValue({
    settings: {
      ...outer.settings,
      // The key of an outer provider is for its own service.
      ...(settings.endpoint && { apiKey: undefined }),
      ...settings,
      // Those with a locale are a whole language, which takes the place of another one.
      messages: assignDefined(settings.messages?.locale ? undefined : outer.settings.messages, settings.messages),
    },
    defaults: withDefaults(outer.defaults, { ...defaults, query: query?.headers ? { ...query, headers } : query }),
  })
  return <ProviderContext.Provider value={value}>{children}</ProviderContext.Provider>
}

/** A setting that is `undefined`, such as an unset environment variable, does not hide the outer one. */
const definedOnly = <Settings extends object>(settings: Settings): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value)) as Partial<Settings>

/** Props completed by defaults, and so are the names in their `query` and `classNames`. */
function withDefaults<Props extends Partial<PagePreviewProps>>(defaults: Partial<PagePreviewProps>, props: Props) {
  return {
    ...assignDefined(defaults, props),
    query: assignDefined(defaults.query, props.query),
    classNames: assignDefined(defaults.classNames, props.classNames),
  }
}

/** The props of a component or hook, completed by the provider's defaults, split once, with their stable query. */
export interface PreviewProps extends SplitProps {
  /** Names the component or hook in warnings: `PagePreview`, `usePagePreview`. */
  component: string
  stableQuery: StableQuery
  /** Changes with the query, the service and the key, but not with what is only another function. */
  id: string
}

/**
 * What every preview starts from.
 *
 * @param component  The component or hook with these props, for warnings.
 * @param base       Defaults of the component, which the provider's replace.
 */
export function usePreviewProps(
  component: string,
  ownProps: CaptureProps,
  base?: Partial<PagePreviewProps>,
): PreviewProps {
  const { settings, defaults } = useContext(ProviderContext)
  const split = splitProps(withDefaults({ ...base, ...defaults }, ownProps), settings)
  const { endpoint, apiKey, fetch, refreshInterval } = split.options
  const stableQuery = useStableValue({ query: split.query, source: { endpoint, apiKey, fetch, refreshInterval } })
  return { ...split, component, stableQuery, id: JSON.stringify([split.query, endpoint, apiKey]) }
}
