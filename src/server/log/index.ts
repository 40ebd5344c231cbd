export { createLogger } from './create-logger.js'
export type { Logger, LogLevel } from './create-logger.js'
