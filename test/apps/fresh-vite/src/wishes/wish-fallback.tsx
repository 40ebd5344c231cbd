import { PagePreview } from 'page-preview'

export default function Fallback() {
  return <PagePreview url="https://down.example" screenshot fallback={<b>The old page is gone</b>} />
}
