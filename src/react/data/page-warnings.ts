interface FiberNode {
  return: FiberNode | null
  memoizedProps?: { client?: unknown } | null
}

/**
 * What is wrong with the page around the previews: their stylesheet is missing, or there is a second copy of react-query.
 *
 * @param hasOwnClient  The QueryClient is that of the library, for want of another.
 */
export function pageWarnings(document: Document, { unstyled, hasOwnClient }: PageFacts): string[] {
  // Only an element with a box: hidden ones, and those of environments without layout, say nothing of the styles.
  const root = [...document.querySelectorAll('.page-preview')].find((element) => element.getClientRects().length > 0)
  if (!root) return []
  const lacksStyles = !unstyled && !getComputedStyle(root).getPropertyValue('--_muted')
  return [
    lacksStyles ? "The stylesheet is missing: add `import 'page-preview/styles.css'`, or set `unstyled`." : '',
    hasOwnClient && hasForeignClient(root)
      ? 'There are two copies of @tanstack/react-query, so the QueryClient of the app is not used: let one copy remain ' +
        '(`npm ls @tanstack/react-query`, `npm dedupe`, `resolve.dedupe` of Vite), or pass `queryClient`.'
      : '',
  ].filter(Boolean)
}

interface PageFacts {
  unstyled?: boolean | undefined
  hasOwnClient: boolean
}

/**
 * Whether an app has a `QueryClientProvider` whose context this copy of react-query does not know. Looked up in the nodes of
 * React, which no interface gives access to; where they change, there is no warning.
 */
function hasForeignClient(element: Element): boolean {
  const key = Object.keys(element).find((name) => name.startsWith('__reactFiber$'))
  let fiber = key ? (element as unknown as Record<string, FiberNode | null>)[key] : null
  for (; fiber; fiber = fiber.return) if (isQueryClient(fiber.memoizedProps?.client)) return true
  return false
}

const isQueryClient = (value: unknown) =>
  typeof value === 'object' && value !== null && 'getQueryCache' in value && 'mount' in value
