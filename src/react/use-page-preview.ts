'use client'

import type { PageQuery } from '../query/index.js'
import { usePreview, type SourceOptions, type UsePagePreviewResult } from './data/index.js'
import { splitProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'

/** Every word of the query language, and how to get the data. */
export interface UsePagePreviewOptions extends PageQuery, SourceOptions {}

/**
 * The data and the state of one preview, without any markup: all that a card of one's own needs. It never throws: what goes
 * wrong is a state.
 */
export function usePagePreview(props: UsePagePreviewOptions): UsePagePreviewResult {
  const { query, options } = splitProps(useDefaults(props))
  return usePreview(query, options)
}
