export { describeState } from './describe-state.js'
export type { ExtractionResult } from './extraction-result.js'
export { resolveResult } from './resolve-result.js'
export type { CacheStatus, ResolvedResult, ResultContext } from './resolve-result.js'
