import { connection } from 'next/server'
import { PagePreview } from 'page-preview'
import { target } from '../../lib/target'

/** The service does not respond to the server, but to the browser. */
export default async function Page() {
  await connection()
  const fetchWithoutResponse = () => new Promise<never>(() => {})
  return <PagePreview url={target} screenshot server={{ fetch: fetchWithoutResponse, timeLimit: 50 }} />
}
