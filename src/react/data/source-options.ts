import type { QueryClient } from '@tanstack/react-query'
import type { ClientOptions } from '../../client/index.js'
import type { PageData } from '../../query/index.js'

/** Which service to request, and how. */
export type ServiceOptions = Pick<ClientOptions, 'hosts' | 'apiKey' | 'fetch'>

/** How one preview gets its data. */
export interface SourceOptions extends ServiceOptions {
  /**
   * Caches the results; its options are never changed. Default: the app's own from `QueryClientProvider`, else one that all
   * previews share.
   *
   * @example queryClient: new QueryClient()
   */
  queryClient?: QueryClient | undefined
  /**
   * Refetches this often, in milliseconds, while the preview is near the viewport and the window visible. Default: never.
   *
   * @example refreshInterval: 60_000
   */
  refreshInterval?: number | undefined
  /**
   * The caller's own data: nothing is fetched.
   *
   * @example data: { title: 'Tides', image: { url: '/tides.png' } }
   */
  data?: PageData | undefined
  /**
   * `lazy` fetches once the preview is less than 600 pixels away from the viewport, `eager` on mount.
   *
   * @default 'lazy'
   * @example loading: 'eager'
   */
  loading?: 'lazy' | 'eager' | undefined
  /**
   * For the main preview of a page: fetches on mount, and its image is downloaded with high priority. On servers React 19
   * also preloads an image whose URL is known (from `embed`, `data` or a prefetched result).
   *
   * @default false
   * @example priority: true
   */
  priority?: boolean | undefined
}
