export { createBatches } from './batches.js'
export type { Batches, BatchesOptions, JobProgress } from './batches.js'
export { MAX_BODY_BYTES, queryOfPage } from './job-request.js'
export { openLocalJobs } from './local-jobs.js'
