import { cookies } from 'next/headers'
import { PagePreview } from 'page-preview'
import { isMember } from '../../../members'
import { memberPreviews } from '../../../previews'

export default async function Login() {
  const server = isMember(await cookies()) ? { fetch: memberPreviews.fetch } : undefined
  return <PagePreview url="https://tides.example" screenshot endpoint="/members/page-preview" server={server} />
}
