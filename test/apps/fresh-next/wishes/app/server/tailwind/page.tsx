import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'

export default function Tailwind() {
  return (
    <PagePreview
      url="https://tides.example"
      screenshot
      className="m-6 rounded-none border-4 border-red-500 p-5"
      classNames={{ title: 'text-2xl text-blue-700', description: 'line-clamp-1' }}
      server={{ fetch: previews.fetch }}
    />
  )
}
