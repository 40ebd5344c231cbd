'use client'

import type { PageQuery } from '../query/index.js'
import type { SourceOptions } from './data/source-options.js'
import { usePreviewData, type UsePagePreviewResult } from './data/use-preview-data.js'
import { useStableQuery } from './data/use-stable-query.js'
import { useProviderDefaults } from './page-preview-provider.js'
import { splitProps } from './props/split-props.js'

/** Every parameter of the query language, and how to get the data. */
export interface UsePagePreviewOptions extends PageQuery, SourceOptions {}

/**
 * The data and the state of one preview without any markup, to build a card of your own. Never throws: a failure is a state.
 *
 * @example  const [ref, preview] = usePagePreview({ url: 'https://example.com', screenshot: true })
 */
export function usePagePreview(props: UsePagePreviewOptions): UsePagePreviewResult {
  const { query, options } = splitProps(useProviderDefaults(props))
  return usePreviewData(useStableQuery(query, options), { ...options, component: 'usePagePreview' })
}
