import { connection } from 'next/server'
import { PagePreview } from 'page-preview/rsc'
import { askInProcess } from '../lib/ask-service'
import { target } from '../lib/target'

/** The card comes with the page, as HTML alone. */
export default async function Page() {
  await connection()
  return <PagePreview url={target} screenshot fetch={askInProcess} timeLimit={20_000} />
}
