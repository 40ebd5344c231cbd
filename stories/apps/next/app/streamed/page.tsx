import { connection } from 'next/server'
import { PagePreview } from 'page-preview/rsc'
import { Suspense } from 'react'
import { askInProcess } from '../../lib/ask-service'
import { target } from '../../lib/target'

/** The page does not wait for the card, which follows when it is there. */
export default async function Page() {
  await connection()
  return (
    <Suspense fallback={<a href={target}>{target}</a>}>
      <PagePreview url={target} screenshot fetch={askInProcess} timeLimit={20_000} />
    </Suspense>
  )
}
