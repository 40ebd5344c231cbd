export { createLogger } from './create-logger.js'
export type { Logger, LogLevel } from './create-logger.js'
export { createRequestLog } from './create-request-log.js'
export type { FinishedRequest, RequestLog } from './create-request-log.js'
