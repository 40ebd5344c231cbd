import { PagePreview } from 'page-preview'

export default function Stale() {
  return <PagePreview url="https://stale.example" screenshot embed staleTtl="1h" />
}
