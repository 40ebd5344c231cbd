import { PagePreview } from 'page-preview'
import { createFakeService } from 'page-preview/testing'

export default function FakeService() {
  const service = createFakeService({ 'https://tides.example': { title: 'Tides of a test', screenshot: null } })
  return <PagePreview url="https://tides.example" screenshot server={{ fetch: service }} />
}
