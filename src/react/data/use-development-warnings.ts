'use client'

import { useEffect } from 'react'
import { layoutWarning, type PreviewRequest } from '../../card/index.js'
import { withNearestParameter } from '../../query/help/index.js'
import type { PageError } from '../../query/index.js'
import type { PreviewQuery } from './use-stable-query.js'
import { errorWarning } from './error-warning.js'
import { lacksStylesheet } from './lacks-stylesheet.js'
import { warnOnce } from './warn-once.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

interface CheckedPreview {
  /** Default `PagePreview`. */
  component: string | undefined
  previewQuery: PreviewQuery
  /** Absent as long as nothing is fetched. */
  request: PreviewRequest | undefined
  error: PageError | undefined
  options: { unstyled?: boolean | undefined; layout?: unknown }
}

const NO_STYLESHEET = "The stylesheet is missing: add `import 'page-preview/styles.css'`, or set `unstyled`."
/** How long a stylesheet may take to arrive. */
const STYLESHEET_WAIT_MS = 1_000

/** Warns developers in the console of what they can fix. Bundlers leave it out of production builds. */
export const useDevelopmentWarnings: (preview: CheckedPreview) => void =
  process.env.NODE_ENV === 'production' ? () => {} : useWarnings

function useWarnings({ component = 'PagePreview', previewQuery, request, error, options }: CheckedPreview): void {
  useEffect(() => {
    if (!error || !request) return
    const { query, source } = previewQuery
    const warning = errorWarning(error, query, { hosts: source.hosts, serviceUrl: request.queryKey[2] })
    if (warning) warnOnce(warning, component)
  }, [component, previewQuery, request, error])
  useEffect(() => {
    for (const warning of request?.jsonQuery?.warnings ?? []) warnOnce(withNearestParameter(warning), component)
  }, [component, request])
  const { unstyled, layout } = options
  useEffect(() => {
    const warning = layoutWarning(layout)
    if (warning) warnOnce(warning, component)
  }, [component, layout])
  useEffect(() => {
    if (unstyled) return undefined
    // Stored, because a test environment may be torn down before the timer fires.
    const { document } = window
    const timer = setTimeout(() => {
      if (lacksStylesheet(document)) warnOnce(NO_STYLESHEET, component)
    }, STYLESHEET_WAIT_MS)
    return () => clearTimeout(timer)
  }, [component, unstyled])
}
