import { PagePreview } from 'page-preview'
import { connection } from 'next/server'
import { target } from '../lib/target'

export default async function Page() {
  await connection()
  return <PagePreview url={target} screenshot />
}
