import { connection } from 'next/server'
import { PagePreview } from 'page-preview'
import { previewProxy } from '../lib/preview-proxy'
import { target } from '../lib/target'

/** The card is rendered on the server, with the proxy of this app in process, and revalidated in the browser. */
export default async function Page() {
  await connection()
  return <PagePreview url={target} screenshot server={{ fetch: previewProxy.fetch, timeLimit: 20_000 }} />
}
