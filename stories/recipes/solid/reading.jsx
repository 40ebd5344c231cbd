import { createSignal } from 'solid-js'

export function Reading(props) {
  const [layout, setLayout] = createSignal('card')
  const [loaded, setLoaded] = createSignal('')
  const listen = (element) => element.addEventListener('page-preview:load', ({ detail }) => setLoaded(detail.title))
  return (
    <>
      <button onClick={() => setLayout('row')}>Show it as a row</button>
      <page-preview ref={listen} url={props.url} layout={layout()} prop:screenshot={{ element: '#hero' }}>
        <a href={props.url}>{props.title}</a>
      </page-preview>
      <output>{loaded()}</output>
    </>
  )
}
