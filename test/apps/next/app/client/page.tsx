import { connection } from 'next/server'
import { target } from '../../lib/target'
import { ClientPreview } from './client-preview'

export default async function Page() {
  await connection()
  return <ClientPreview url={target} />
}
