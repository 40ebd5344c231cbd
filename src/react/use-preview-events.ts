'use client'

import { useEffect, useRef } from 'react'
import type { PreviewOptions } from './page-preview-props.js'
import type { UsePagePreviewResult } from './data/index.js'

/** Tells the handlers, each once: the first answer of a query, each newer one, each failure. */
export function usePreviewEvents(
  preview: UsePagePreviewResult,
  handlers: Pick<PreviewOptions, 'onLoad' | 'onError' | 'onRefresh'>,
): void {
  const latest = useRef(handlers)
  const told = useRef<{ id: string; timestamp: number | undefined }>(undefined)
  const { id } = preview
  const page = 'page' in preview ? preview.page : undefined
  const timestamp = 'answer' in preview ? preview.answer?.cache.timestamp : undefined
  const error = preview.status === 'failed' && !preview.isRetrying ? preview.error : undefined

  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const before = told.current
    if (!page || (before?.id === id && before.timestamp === timestamp)) return
    told.current = { id, timestamp }
    if (before?.id === id) latest.current.onRefresh?.(page)
    else latest.current.onLoad?.(page)
  }, [id, page, timestamp])
  useEffect(() => {
    if (error) latest.current.onError?.(error)
  }, [error])
}
