import { PagePreview } from 'page-preview'

export default function Chip() {
  return (
    <p>
      The tables of <PagePreview url="https://tides.example" layout="inline" /> are printed every year.
    </p>
  )
}
