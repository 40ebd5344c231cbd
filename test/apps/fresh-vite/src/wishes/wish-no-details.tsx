import { PagePreview } from 'page-preview'

export default function NoDetails() {
  return <PagePreview url="https://tides.example" screenshot imageDetails={false} />
}
