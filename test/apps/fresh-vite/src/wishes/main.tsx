import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, type ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import './wishes.css'

// Each file has one wish, as somebody would write it in an app: `/wishes.html?wish=ratio`.
const wishes = import.meta.glob<ComponentType>('./wish-*.{tsx,mdx}', { eager: true, import: 'default' })
const name = new URLSearchParams(location.search).get('wish')
const Wish = wishes[`./wish-${name}.tsx`] ?? wishes[`./wish-${name}.mdx`]

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <main className="mx-auto max-w-sm p-4">
        <Wish />
      </main>
    </QueryClientProvider>
  </StrictMode>,
)
