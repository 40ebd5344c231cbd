import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { PagePreview } from 'page-preview'
import 'page-preview/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

createRoot(document.querySelector('main')!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <h1>Worth reading</h1>
      <PagePreview url={import.meta.env.VITE_TARGET} screenshot />
    </QueryClientProvider>
  </StrictMode>,
)
