import { PagePreview } from 'page-preview'
import { Preview } from 'page-preview/parts'
import { useRef, useState } from 'react'

export default function Refs() {
  const card = useRef<HTMLElement>(null)
  const root = useRef<HTMLElement>(null)
  const part = useRef<HTMLElement>(null)
  const element = useRef<HTMLHeadingElement>(null)
  const [names, setNames] = useState('')
  const read = () =>
    setNames(`${card.current?.localName} ${root.current?.localName} ${part.current?.id} ${element.current?.id}`)
  return (
    <>
      <PagePreview url="https://tides.example" screenshot layout="row" ref={card} />
      <Preview.Root url="https://tides.example" screenshot ref={root} render={<section />}>
        <Preview.Title ref={part} render={<h3 id="heading" ref={element} />} />
      </Preview.Root>
      <button onClick={read}>Read</button>
      <output>{names}</output>
    </>
  )
}
