import { PagePreview } from 'page-preview'
import { previews } from '../../../previews'
import { ThemeToggle } from './theme-toggle'

export default function Dark() {
  return (
    <>
      <ThemeToggle />
      <PagePreview url="https://tides.example" screenshot server={{ fetch: previews.fetch }} />
    </>
  )
}
