import pino from 'pino'

/** The least severe level that is written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** The part of pino's interface that the service uses. */
export interface Logger {
  debug(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/**
 * Writes JSON lines to stderr, because stdout is reserved for the ready line. URLs are logged without their query, so that
 * API keys stay out of the log.
 */
export const createLogger = (level: LogLevel): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }))
