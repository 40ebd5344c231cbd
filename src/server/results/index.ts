export type { ExtractionResult } from './extraction-result.js'
export type { ResultParts } from './extract-page.js'
export { resolveResult } from './resolve-result.js'
export type { CacheStatus, ResolvedResult } from './resolve-result.js'
