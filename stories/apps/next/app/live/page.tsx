import { connection } from 'next/server'
import { LivePagePreview } from 'page-preview/rsc'
import { askInProcess } from '../../lib/ask-service'
import { target } from '../../lib/target'

/** The card comes with the page, and is kept fresh in the browser. */
export default async function Page() {
  await connection()
  return <LivePagePreview url={target} screenshot fetch={askInProcess} timeLimit={20_000} />
}
