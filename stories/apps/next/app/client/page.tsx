import { connection } from 'next/server'
import { PagePreview } from 'page-preview'
import { target } from '../../lib/target'

/** The component for browsers, as it is. */
export default async function Page() {
  await connection()
  return <PagePreview url={target} screenshot />
}
