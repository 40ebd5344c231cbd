import { connection } from 'next/server'
import { LivePagePreview } from 'page-preview/rsc'
import { target } from '../../lib/target'

/** The service does not respond to the server, but to the browser. */
export default async function Page() {
  await connection()
  const fetchWithoutResponse = () => new Promise<never>(() => {})
  return <LivePagePreview url={target} screenshot fetch={fetchWithoutResponse} timeLimit={50} />
}
