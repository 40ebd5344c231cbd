import { connection } from 'next/server'
import { PagePreview } from 'page-preview'
import { target } from '../../lib/target'

/** The client component. */
export default async function Page() {
  await connection()
  return <PagePreview url={target} screenshot />
}
