import pino from 'pino'
import { escapeUnprintable } from '../../query/help/index.js'

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
 * API keys stay out of the log. Logs are read on terminals, so characters that a terminal obeys or hides are escaped.
 *
 * @param destination  Default: stderr.
 */
export const createLogger = (
  level: LogLevel,
  destination: { write(line: string): void } = pino.destination({ dest: 2, sync: true }),
): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: escapeUnprintable } },
    destination,
  )
