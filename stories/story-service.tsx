import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { PagePreviewProvider } from '../src/react/index.js'
import { fixtureFetch, type FixtureAnswer } from './fixture-service.js'

interface StoryServiceProps {
  /** Given in turn, the last one for ever. */
  answers: readonly FixtureAnswer[]
  hosts?: string | undefined
  children: ReactNode
}

/** A service of its own for one part of a story, answered within this page. */
export function StoryService({ answers, hosts, children }: StoryServiceProps): ReactNode {
  const [queryClient] = useState(() => new QueryClient())
  const [fetch] = useState(() => fixtureFetch(answers))
  return (
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={fetch} hosts={hosts}>
        {children}
      </PagePreviewProvider>
    </QueryClientProvider>
  )
}
