import { PagePreview } from 'page-preview'

export default function Ratio() {
  return <PagePreview url="https://tides.example" screenshot className="[--pp-ratio:1/1]" />
}
