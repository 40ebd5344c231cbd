import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function Chip() {
  return (
    <p>
      The tables of <PagePreview url="https://tides.example" layout="inline" server={{ fetch: previews.fetch }} /> are
      printed every year.
    </p>
  )
}
