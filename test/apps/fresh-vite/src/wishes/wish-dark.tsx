import { PagePreview } from 'page-preview'
import { useState } from 'react'

export default function Dark() {
  const [isDark, setIsDark] = useState(true)
  return (
    <div className={isDark ? 'dark' : ''}>
      <button onClick={() => setIsDark(!isDark)}>Theme</button>
      <PagePreview url="https://tides.example" screenshot />
    </div>
  )
}
