'use client'

import { useState, type ReactNode } from 'react'
import type { PagePreviewKey } from '../../card/index.js'
import { usePreviewQueryClient } from '../data/use-preview-data.js'
import { PagePreview } from '../page-preview.js'
import type { PagePreviewProps } from '../props.js'
import type { ServerResult } from './fetch-before-deadline.js'

interface HydratedPreviewProps extends PagePreviewProps {
  /** Absent when no result reached the server in time. */
  serverResult: ServerResult | undefined
  /** The key under which the browser caches the result. */
  queryKey: PagePreviewKey
}

/** A preview that starts with the server's result and is kept fresh in the browser. */
export function HydratedPreview({ serverResult, queryKey, ...props }: HydratedPreviewProps): ReactNode {
  const cache = usePreviewQueryClient(undefined)
  const [queryClient] = useState(() => {
    const { dataUpdatedAt = 0 } = cache.getQueryState(queryKey) ?? {}
    if (serverResult && serverResult.receivedAt > dataUpdatedAt)
      cache.setQueryData(queryKey, serverResult.result, { updatedAt: serverResult.receivedAt })
    return cache
  })
  return <PagePreview {...props} queryClient={queryClient} />
}
