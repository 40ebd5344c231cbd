import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function NoDetails() {
  return <PagePreview url="https://tides.example" screenshot imageDetails={false} server={{ fetch: previews.fetch }} />
}
