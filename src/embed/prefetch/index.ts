export { loadStyles } from './load-styles.js'
export { Prefetcher } from './prefetcher.js'
