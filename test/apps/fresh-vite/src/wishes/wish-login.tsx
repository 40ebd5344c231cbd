import { PagePreview, PagePreviewProvider } from 'page-preview'

export default function Login() {
  return (
    <PagePreviewProvider endpoint="/members/page-preview">
      <PagePreview url="https://tides.example" screenshot />
    </PagePreviewProvider>
  )
}
