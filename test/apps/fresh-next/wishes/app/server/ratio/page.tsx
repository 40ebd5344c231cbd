import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function Ratio() {
  return (
    <PagePreview
      url="https://tides.example"
      screenshot
      className="[--pp-ratio:1/1]"
      server={{ fetch: previews.fetch }}
    />
  )
}
