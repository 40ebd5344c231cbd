import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState, type HTMLAttributes, type ReactNode } from 'react'
import { PagePreviewProvider, type AppSettings } from '../src/react/index.js'
import { createFakeService, type FakeResponses } from '../src/testing/index.js'

interface StoryServiceProps extends Pick<AppSettings, 'endpoint' | 'messages'> {
  /** For any page. */
  responses: FakeResponses
  children: ReactNode
}

/** Gives a part of a story its own service and cache, both in this document. */
export function StoryService({ responses, endpoint, messages, children }: StoryServiceProps): ReactNode {
  const [queryClient] = useState(() => new QueryClient())
  const [fetch] = useState(() => createFakeService({ '*': responses }))
  return (
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={fetch} endpoint={endpoint} messages={messages}>
        {children}
      </PagePreviewProvider>
    </QueryClientProvider>
  )
}

interface StoryMainProps extends HTMLAttributes<HTMLElement> {
  viewMode: string
}

/** The landmark around a story; a page of the docs, which shows several stories, has its own landmark. */
export function StoryMain({ viewMode, ...attributes }: StoryMainProps): ReactNode {
  const Landmark = viewMode === 'docs' ? 'div' : 'main'
  return <Landmark {...attributes} />
}
