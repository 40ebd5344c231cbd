import { connection } from 'next/server'
import { PagePreview } from 'page-preview/rsc'
import { fetchInProcess } from '../lib/preview-proxy'
import { target } from '../lib/target'

/** The card is rendered on the server, as HTML alone. */
export default async function Page() {
  await connection()
  return <PagePreview url={target} screenshot fetch={fetchInProcess} timeLimit={20_000} />
}
