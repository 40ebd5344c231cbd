import { PagePreview } from 'page-preview'

export default function Target() {
  return <PagePreview url="https://tides.example" screenshot target="_blank" rel="noreferrer" />
}
