import { PagePreview, PagePreviewProvider } from 'page-preview'
import { createFakeService } from 'page-preview/testing'

const service = createFakeService({ 'https://tides.example': { title: 'Tides of a test', screenshot: null } })

export default function FakeService() {
  return (
    <PagePreviewProvider fetch={service}>
      <PagePreview url="https://tides.example" screenshot />
    </PagePreviewProvider>
  )
}
