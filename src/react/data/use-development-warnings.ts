'use client'

import { useEffect } from 'react'
import { warnOfPreview, warnOnce, type CheckedPreview } from '../warnings.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

const NO_STYLESHEET = "The stylesheet is missing: add `import 'page-preview/styles.css'`, or set `unstyled`."
/** How long a stylesheet may take to arrive. */
const STYLESHEET_WAIT_MS = 1_000

/**
 * Warns developers in the console of what they can fix. Bundlers leave it out of production builds.
 *
 * @param isUnstyled  No stylesheet is expected.
 */
export const useDevelopmentWarnings: (preview: CheckedPreview, isUnstyled: boolean | undefined) => void =
  process.env.NODE_ENV === 'production' ? () => {} : useWarnings

function useWarnings(
  { component, request, hosts, layout, error }: CheckedPreview,
  isUnstyled: boolean | undefined,
): void {
  useEffect(
    () => warnOfPreview({ component, request, hosts, layout, error }),
    [component, request, hosts, layout, error],
  )
  useEffect(() => {
    if (isUnstyled) return undefined
    // Stored, because a test environment may be torn down before the timer fires.
    const { document } = window
    const timer = setTimeout(() => {
      if (lacksStylesheet(document)) warnOnce(NO_STYLESHEET, component)
    }, STYLESHEET_WAIT_MS)
    return () => clearTimeout(timer)
  }, [component, isUnstyled])
}

/** Whether a document shows previews without `styles.css`. */
function lacksStylesheet(document: Document): boolean {
  // Only an element with a box: hidden ones, and those in environments without layout, do not show whether styles apply.
  const root = [...document.querySelectorAll('.page-preview')].find((element) => element.getClientRects().length > 0)
  return root !== undefined && !getComputedStyle(root).getPropertyValue('--_muted')
}
