export { IncomparableError } from './confirm-changes.js'
export { createHistories } from './histories.js'
export type { Histories, NewCapture, StoredHistory } from './histories.js'
