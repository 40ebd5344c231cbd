import { connection } from 'next/server'
import { PagePreview } from 'page-preview'
import { Suspense } from 'react'
import { previewProxy } from '../../lib/preview-proxy'
import { target } from '../../lib/target'

/** The page does not wait for the card, which is streamed later; until then its placeholder contains the link. */
export default async function Page() {
  await connection()
  return (
    <Suspense fallback={<PagePreview url={target} data={{}} />}>
      <PagePreview url={target} screenshot server={{ fetch: previewProxy.fetch, timeLimit: 20_000 }} />
    </Suspense>
  )
}
