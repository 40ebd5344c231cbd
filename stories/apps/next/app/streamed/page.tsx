import { connection } from 'next/server'
import { PagePreview } from 'page-preview/rsc'
import { Suspense } from 'react'
import { askInProcess } from '../../lib/ask-service'
import { target } from '../../lib/target'

/** The page does not wait for the card, which follows when it is there; until then there is one with just the link. */
export default async function Page() {
  await connection()
  return (
    <Suspense fallback={<PagePreview url={target} data={{}} />}>
      <PagePreview url={target} screenshot fetch={askInProcess} timeLimit={20_000} />
    </Suspense>
  )
}
