import { PagePreview } from 'page-preview'
import 'page-preview/styles.css'

export const App = () => (
  <>
    <h1>Worth reading</h1>
    <PagePreview url={import.meta.env.VITE_TARGET} screenshot embed />
  </>
)
