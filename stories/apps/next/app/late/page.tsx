import { connection } from 'next/server'
import { LivePagePreview } from 'page-preview/rsc'
import { target } from '../../lib/target'

/** The service that the server asks is silent; the one that the browser asks is not. */
export default async function Page() {
  await connection()
  const silence = () => new Promise<never>(() => {})
  return <LivePagePreview url={target} screenshot fetch={silence} timeLimit={50} />
}
