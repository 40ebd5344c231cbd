'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createClient } from '../../client/index.js'
import type { PageError, PageQuery } from '../../query/index.js'
import { pagePreviewQueryOptions } from './page-preview-query-options.js'
import { splitProps, type SourceOptions } from '../page-preview-props.js'
import { useDefaults } from '../page-preview-provider.js'
import { pictureOf, type Picture } from './picture.js'
import { previewRequest } from './preview-request.js'
import { previewState, type PreviewState } from './preview-state.js'
import { usePreviewClient } from './use-preview-client.js'

/** Every word of the query language, and how to get the data. */
export interface UsePagePreviewOptions extends PageQuery, SourceOptions {}

export type UsePagePreviewResult = PreviewState & {
  /** The same for the same page, picture and service; another one when a prop asks for another picture. */
  id: string
  /** With `embed` it is there from the start. */
  picture: Picture | undefined
  /** Asks again now. */
  refresh: () => void
  /** The reader pressed Retry since this query was asked first. */
  wasRetried: boolean
}

/** The data and the state of one preview, without any markup. It never throws: what goes wrong is a state. */
export function usePagePreview(props: UsePagePreviewOptions): UsePagePreviewResult {
  const { query, options } = splitProps(useDefaults(props))
  const { hosts, apiKey, fetch, data: ownData, queryClient, refreshInterval } = options
  const service = { hosts, apiKey, fetch }
  const request = pagePreviewQueryOptions(query, { ...service, refreshInterval })
  const { data, error, isFetching, refetch } = useQuery(
    { ...request, enabled: !ownData },
    usePreviewClient(queryClient),
  )
  // An address cannot carry a key, so with one the picture comes with the answer.
  const isEmbedded = query.embed !== undefined && !ownData && !apiKey && !query.headers?.apiKey
  const embed = isEmbedded ? previewRequest(query, createClient(service)).embed : undefined

  const id = request.queryKey.join(' ')
  const [retry, setRetry] = useState<{ id: string; error: PageError }>()
  const isRetried = retry?.id === id
  const retriedError = isRetried ? retry.error : undefined
  const state = previewState({ ownData, answer: data, error, isFetching, retriedError })
  return {
    ...state,
    id,
    picture: state.status === 'failed' ? undefined : pictureOf(ownData ?? data?.data, data, embed),
    refresh() {
      if (state.status === 'failed') setRetry({ id, error: state.error })
      void refetch()
    },
    wasRetried: isRetried,
  }
}
