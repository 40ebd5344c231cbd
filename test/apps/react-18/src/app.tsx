import { PagePreview } from 'page-preview'
import { Preview } from 'page-preview/parts'
import 'page-preview/styles.css'

const url = import.meta.env.VITE_TARGET

export const App = () => (
  <>
    <h1>Worth reading</h1>
    <PagePreview url={url} screenshot embed />
    <Preview.Root url={url} screenshot embed render={<section />}>
      <Preview.Image width={320} height={200} />
      <Preview.Title render={<h2 />} />
      <Preview.Link>Read</Preview.Link>
    </Preview.Root>
  </>
)
