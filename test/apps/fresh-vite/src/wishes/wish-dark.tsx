import { PagePreview } from 'page-preview'

// The page says so with a class of its root, as the themes of shadcn do.
const toggle = () => document.documentElement.classList.toggle('dark')

export default function Dark() {
  return (
    <>
      <button onClick={toggle}>Theme</button>
      <PagePreview url="https://tides.example" screenshot />
    </>
  )
}
