import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import { pagePreviewQueryOptions } from 'page-preview'
import ReactQuery from '../../../copied/wish-react-query'
import { previews } from '../../../previews'

export default async function Prefetched() {
  const queryClient = new QueryClient()
  const preview = { url: 'https://tides.example', screenshot: true }
  await queryClient.prefetchQuery(pagePreviewQueryOptions(preview, { fetch: previews.fetch }))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ReactQuery />
    </HydrationBoundary>
  )
}
