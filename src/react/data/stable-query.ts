'use client'

import { replaceEqualDeep } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { previewRequest, type PreviewRequest } from '../../card/index.js'
import type { PageQuery } from '../../query/index.js'
import type { PagePreviewQuerySource } from '../props/page-preview-props.js'
import type { SplitProps } from '../props/split-props.js'

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
  /** Parses the query on the first call, because most previews of a long page never come near the viewport. */
  request: () => PreviewRequest
}

/** The same object as long as a query and its source are equal. */
export function useStableQuery(query: PageQuery, source: PagePreviewQuerySource): StableQuery {
  const { hosts, apiKey, fetch, refreshInterval } = source
  const stable = useStableValue({ query, source: { hosts, apiKey, fetch, refreshInterval } })
  return useMemo(() => {
    let request: PreviewRequest | undefined
    return { ...stable, request: () => (request ??= previewRequest(stable.query, stable.source)) }
  }, [stable])
}

/** The same reference as long as the value is deeply equal: `viewport={{ width: 320 }}` is a new object in each render. */
export function useStableValue<T>(value: T): T {
  const [stabilise] = useState(createStabiliser<T>)
  return stabilise(value)
}

// Not React state: a value that is never equal, such as an inline function, would cause one more render forever.
function createStabiliser<T>(): (value: T) => T {
  let current: T
  return (value) => (current = replaceEqualDeep(current, value))
}

/** Whether two values are equal by content; functions by identity. Also the comparison for `memo`. */
export function isDeepEqual<T>(before: T, after: T): boolean {
  return replaceEqualDeep(before, after) === before
}
