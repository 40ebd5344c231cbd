import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function Target() {
  return (
    <PagePreview
      url="https://tides.example"
      screenshot
      target="_blank"
      rel="noreferrer"
      server={{ fetch: previews.fetch }}
    />
  )
}
