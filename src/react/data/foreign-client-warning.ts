import { QueryClient } from '@tanstack/react-query'

/**
 * A warning for a developer whose app has another copy of react-query than this library. Then they share no context, so that
 * previews do not find the QueryClient of a `QueryClientProvider`. It shows only in a client that is passed on, as a prop or to
 * a function: React gives no access to the contexts of others.
 *
 * @returns  `undefined` for a client of the same copy.
 */
export const foreignClientWarning = (queryClient: QueryClient): string | undefined =>
  queryClient instanceof QueryClient
    ? undefined
    : 'There are two copies of @tanstack/react-query: this QueryClient is of another one than that of page-preview, which ' +
      'does not find the QueryClientProvider of the app. `npm ls @tanstack/react-query` lists them; keep one of them, by its ' +
      'version in package.json or by `resolve.dedupe` of the bundler.'
