import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PagePreview, pagePreviewQueryOptions } from 'page-preview'

export default function ReactQuery() {
  const preview = { url: 'https://tides.example', screenshot: true }
  const { data } = useQuery(pagePreviewQueryOptions(preview))
  const client = useQueryClient()
  return (
    <>
      <PagePreview {...preview} />
      <output>
        {data?.data.title}, {client.getQueryCache().getAll().length} query
      </output>
    </>
  )
}
