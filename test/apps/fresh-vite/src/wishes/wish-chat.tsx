import { PagePreview } from 'page-preview'
import { useLayoutEffect, useRef, useState } from 'react'

export default function Chat() {
  const [count, setCount] = useState(3)
  const log = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => {
    log.current?.scrollTo(0, log.current.scrollHeight)
  })
  return (
    <>
      <ol ref={log} className="grid h-96 grid-cols-1 content-start gap-2 overflow-y-auto">
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>
            Look at this: <PagePreview url={`https://tides.example/${index + 1}`} screenshot layout="row" />
          </li>
        ))}
      </ol>
      <button onClick={() => setCount(count + 1)}>Send</button>
    </>
  )
}
