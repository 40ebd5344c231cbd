import { StrictMode, type ComponentType, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

interface SnippetProps {
  /** The page that it previews, where it does not name one itself. */
  url: string
  children?: ReactNode
}

/** Written by test/apps/fresh-apps.test.ts; each exports one component. */
const snippets = import.meta.glob<Record<string, ComponentType<SnippetProps>>>('./snippets/*.tsx', { eager: true })

const componentOf = (name: string) => Object.values(snippets[`./snippets/${name}.tsx`])[0]

const search = new URLSearchParams(location.search)
const [Snippet, ...providers] = search.getAll('component').map(componentOf)
const snippet = <Snippet url={search.get('url') ?? ''} />

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {providers.reduce(
      (children, Provider) => (
        <Provider url="">{children}</Provider>
      ),
      snippet,
    )}
  </StrictMode>,
)
