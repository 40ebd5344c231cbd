import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

const urls = Array.from({ length: 60 }, (_, index) => `https://tides.example/${index + 1}`)

export default function SixtyCards() {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {urls.map((url) => (
        <li key={url}>
          <PagePreview url={url} screenshot server={{ fetch: previews.fetch }} />
        </li>
      ))}
    </ul>
  )
}
