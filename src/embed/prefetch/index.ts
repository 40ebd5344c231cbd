export { loadStyles } from './load-styles.js'
export { Prefetcher } from './prefetcher.js'
export type { PrefetchedQuery } from './prefetcher.js'
