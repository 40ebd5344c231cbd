'use client'

import { useEffect, useRef } from 'react'
import type { UsePagePreviewResult } from '../data/use-preview-data.js'
import type { PreviewOptions } from '../props/page-preview-props.js'

/** Calls each handler once per event: the first result of a query, each newer one, each failure. */
export function usePreviewEvents(
  preview: UsePagePreviewResult[1],
  handlers: Pick<PreviewOptions, 'onLoad' | 'onError' | 'onRefresh'>,
): void {
  const latestHandlers = useRef(handlers)
  const reported = useRef<{ id: string; timestamp: number | undefined }>(undefined)
  const { id } = preview
  const page = 'page' in preview ? preview.page : undefined
  const timestamp = 'result' in preview ? preview.result?.cache.timestamp : undefined
  const error = preview.status === 'failed' && !preview.isRetrying ? preview.error : undefined

  useEffect(() => {
    latestHandlers.current = handlers
  })
  useEffect(() => {
    const previous = reported.current
    if (!page || (previous?.id === id && previous.timestamp === timestamp)) return
    reported.current = { id, timestamp }
    if (previous?.id === id) latestHandlers.current.onRefresh?.(page)
    else latestHandlers.current.onLoad?.(page)
  }, [id, page, timestamp])
  useEffect(() => {
    if (error) latestHandlers.current.onError?.(error)
  }, [error])
}
