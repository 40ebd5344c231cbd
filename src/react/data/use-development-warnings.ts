'use client'

import { QueryClientContext } from '@tanstack/react-query'
import { useContext, useEffect } from 'react'
import type { PreviewRequest } from '../../card/index.js'
import type { PageError } from '../../query/index.js'
import type { SourceOptions } from './source-options.js'
import type { PreviewQuery } from './use-preview-query.js'
import { errorWarning } from './error-warning.js'
import { pageWarnings } from './page-warnings.js'
import { warnOnce } from './warn-once.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

interface Watched {
  component: string
  previewQuery: PreviewQuery
  /** Absent as long as nothing is fetched. */
  request: PreviewRequest | undefined
  error: PageError | undefined
  options: Pick<SourceOptions, 'queryClient'> & { unstyled?: boolean | undefined }
}

/** How long a stylesheet may take to arrive. */
const STYLESHEET_WAIT_MS = 1_000

/** Tells developers in the console what they can fix. Bundlers leave it out of production builds. */
export const useDevelopmentWarnings: (watched: Watched) => void =
  process.env.NODE_ENV === 'production' ? () => {} : useWarnings

function useWarnings({ component, previewQuery, request, error, options }: Watched): void {
  const { queryClient, unstyled } = options
  const hasOwnClient = useContext(QueryClientContext) === undefined && !queryClient
  useEffect(() => {
    if (!error || !request) return
    const { query, source } = previewQuery
    const warning = errorWarning(error, query, { hosts: source.hosts, host: request.queryKey[2] })
    if (warning) warnOnce(component, warning)
  }, [component, previewQuery, request, error])
  useEffect(() => {
    for (const warning of request?.json?.warnings ?? []) warnOnce(component, warning)
  }, [component, request])
  useEffect(() => {
    // Remembered, because an environment of tests may be gone by then.
    const { document } = window
    const timer = setTimeout(() => {
      for (const warning of pageWarnings(document, { unstyled, hasOwnClient })) warnOnce(component, warning)
    }, STYLESHEET_WAIT_MS)
    return () => clearTimeout(timer)
  }, [component, hasOwnClient, unstyled])
}
