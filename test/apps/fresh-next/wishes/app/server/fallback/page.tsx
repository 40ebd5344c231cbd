import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function Fallback() {
  return (
    <PagePreview
      url="https://down.example"
      screenshot
      fallback={<b>The old page is gone</b>}
      server={{ fetch: previews.fetch }}
    />
  )
}
