'use client'

// Its own file because it loads after the screenshot that it updates.

import { useEffect, useLayoutEffect, type RefObject } from 'react'
import { reportEarlyError } from './report-early-error.js'
import type { PreviewResult } from './preview-state.js'
import { usePreviewData } from './use-preview-data.js'
import { useProximity } from './use-proximity.js'
import type { PreviewProps } from './page-preview-provider.js'

/** What is known of a screenshot. */
export interface ScreenshotUpdate {
  /** Id of the query that the screenshot belongs to. */
  id: string
  /** Absent for the caller's own data, and after a failure. */
  result: PreviewResult | undefined
}

interface ScreenshotUpdatesProps {
  props: PreviewProps
  /** The image, or the box in its place, which is another object; absent while the caller's fallback is shown. */
  element: RefObject<Element | null> | undefined
  onUpdate: (update: ScreenshotUpdate) => void
}

/** Fetches the metadata of a screenshot, and reports each newer one and that there is none. Renders nothing. */
export function ScreenshotUpdates({ props, element, onUpdate }: ScreenshotUpdatesProps): null {
  const [ref, proximity] = useProximity(props)
  const { id } = props
  const { result, status } = usePreviewData(props, element ? proximity : 'near')
  // In a layout effect, because the hook above checks in an effect whether it has an element.
  useLayoutEffect(() => {
    ref(element?.current ?? null)
    return () => ref(null)
  }, [element, ref])
  useEffect(() => reportEarlyError(element?.current ?? null), [element])
  useEffect(() => {
    if (status !== 'loading') onUpdate({ id, result })
  }, [id, result, status, onUpdate])
  return null
}
