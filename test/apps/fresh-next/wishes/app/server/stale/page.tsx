import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function Stale() {
  return <PagePreview url="https://stale.example" screenshot embed staleTtl="1h" server={{ fetch: previews.fetch }} />
}
