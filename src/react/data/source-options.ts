import type { QueryClient } from '@tanstack/react-query'
import type { ClientOptions } from '../../client/index.js'
import type { PageData } from '../../query/index.js'

/** Where to ask. */
export type ServiceOptions = Pick<ClientOptions, 'hosts' | 'apiKey' | 'fetch'>

/** How one preview gets its data. */
export interface SourceOptions extends ServiceOptions {
  /** Default: the app's, else one of our own for the whole page. Nothing is ever set on it. */
  queryClient?: QueryClient | undefined
  /** Asks again this often while the preview is on screen and the page is looked at, milliseconds. Default: never. */
  refreshInterval?: number | undefined
  /** Own data: nothing is requested. */
  data?: PageData | undefined
  /** `eager` asks at once. Default `lazy`: when the preview is less than 600 pixels away from the screen. */
  loading?: 'lazy' | 'eager' | undefined
  /**
   * The preview is what the page is about: asks at once, and its picture goes before others. In markup from a server React 19
   * preloads a picture whose address is known, by `embed`, `data` or a prefetched answer; React 18 does not. Default `false`.
   */
  priority?: boolean | undefined
}
