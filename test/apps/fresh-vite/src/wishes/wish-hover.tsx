import { HoverPreview } from 'page-preview'

export default function Hover() {
  return (
    <p>
      High water is in the{' '}
      <HoverPreview screenshot>
        <a href="https://tides.example">tables</a>
      </HoverPreview>
      .
    </p>
  )
}
