'use client'

import { useState, type ReactNode } from 'react'
import type { PagePreviewKey } from '../../card/index.js'
import { usePreviewQueryClient } from '../data/use-preview-data.js'
import { PagePreview } from '../page-preview.js'
import { PagePreviewProvider } from '../page-preview-provider.js'
import type { AppSettings, PagePreviewProps } from '../props.js'
import type { ServerResult } from './fetch-before-deadline.js'

interface HydratedPreviewProps extends PagePreviewProps, Pick<AppSettings, 'locale' | 'messages'> {
  /** Absent when no result reached the server in time. */
  serverResult: ServerResult | undefined
  /** The key under which the browser caches the result. */
  queryKey: PagePreviewKey
}

/** A preview that starts with the server's result and is kept fresh in the browser. */
export function HydratedPreview({
  serverResult,
  queryKey,
  locale,
  messages,
  ...props
}: HydratedPreviewProps): ReactNode {
  const cache = usePreviewQueryClient(undefined)
  const [queryClient] = useState(() => {
    const { dataUpdatedAt = 0 } = cache.getQueryState(queryKey) ?? {}
    if (serverResult && serverResult.receivedAt > dataUpdatedAt)
      cache.setQueryData(queryKey, serverResult.result, { updatedAt: serverResult.receivedAt })
    return cache
  })
  return (
    <PagePreviewProvider queryClient={queryClient} locale={locale} messages={messages}>
      <PagePreview {...props} />
    </PagePreviewProvider>
  )
}
