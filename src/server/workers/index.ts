export { isBuilt, startProcess, startThread } from './worker.js'
export type { TaskMessage, WorkerMessage } from './worker.js'
export { createWorkerPool, WorkerError } from './worker-pool.js'
export type { TaskInput, WorkerPool } from './worker-pool.js'
