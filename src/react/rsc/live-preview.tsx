'use client'

import { useState, type ReactNode } from 'react'
import { pagePreviewQueryOptions, usePreviewClient } from '../data/index.js'
import { PagePreview } from '../page-preview.js'
import { splitProps, type PagePreviewProps } from '../page-preview-props.js'
import type { Told } from './ask-in-time.js'

interface LivePreviewProps extends PagePreviewProps {
  /** What the server was told; absent when it was told nothing in time. */
  told: Told | undefined
}

/** A preview that begins with the server's answer, and goes on from there in the browser. */
export function LivePreview({ told, ...props }: LivePreviewProps): ReactNode {
  const cache = usePreviewClient(undefined)
  const [queryClient] = useState(() => {
    const { query, options } = splitProps(props)
    const { queryKey } = pagePreviewQueryOptions(query, options)
    const { dataUpdatedAt = 0 } = cache.getQueryState(queryKey) ?? {}
    if (told && told.at > dataUpdatedAt) cache.setQueryData(queryKey, told.answer, { updatedAt: told.at })
    return cache
  })
  return <PagePreview {...props} queryClient={queryClient} />
}
