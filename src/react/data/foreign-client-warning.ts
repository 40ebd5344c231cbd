import { QueryClient } from '@tanstack/react-query'

/**
 * A warning for a developer whose app uses another copy of react-query than this library. The copies share no context, so that
 * previews do not find the QueryClient of a `QueryClientProvider`. It can only be detected in a client that is passed as a prop
 * or an argument, because React provides no access to the contexts of other copies.
 *
 * @returns  `undefined` for a client of the same copy.
 */
export const foreignClientWarning = (queryClient: QueryClient): string | undefined =>
  queryClient instanceof QueryClient
    ? undefined
    : 'There are two copies of @tanstack/react-query: this QueryClient comes from another copy than that of page-preview, which ' +
      'does not find the QueryClientProvider of the app. `npm ls @tanstack/react-query` lists them; keep one of them, by its ' +
      'version in package.json or by `resolve.dedupe` of the bundler.'
