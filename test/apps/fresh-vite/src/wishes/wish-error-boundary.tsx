import { useSuspensePagePreview } from 'page-preview'
import { Component, Suspense, type ReactNode } from 'react'

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  state: { error?: Error } = {}
  static getDerivedStateFromError = (error: Error) => ({ error })
  render() {
    const { error } = this.state
    return error ? <p role="alert">{error.message}</p> : this.props.children
  }
}

function Title({ url }: { url: string }) {
  const [ref, { page }] = useSuspensePagePreview({ url })
  return <h2 ref={ref}>{page?.title}</h2>
}

export default function ErrorBoundary() {
  return ['https://tides.example', 'https://down.example'].map((url) => (
    <Boundary key={url}>
      <Suspense fallback={<p>Loading</p>}>
        <Title url={url} />
      </Suspense>
    </Boundary>
  ))
}
