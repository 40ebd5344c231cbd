import { connection } from 'next/server'
import { LivePagePreview } from 'page-preview/rsc'
import { fetchInProcess } from '../../lib/preview-proxy'
import { target } from '../../lib/target'

/** The card is rendered on the server, and revalidated in the browser. */
export default async function Page() {
  await connection()
  return <LivePagePreview url={target} screenshot fetch={fetchInProcess} timeLimit={20_000} />
}
