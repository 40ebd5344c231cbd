import type { Logger } from '../../src/server/log.js'

/** A line of the log: its fields, level and message. */
export type LogLine = Record<string, unknown>

/** A logger that keeps its lines in memory, without fields that are `undefined`, as JSON does. */
export function recordingLog(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const write = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, message, ...(JSON.parse(JSON.stringify(fields)) as LogLine) })
  return { lines, log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } }
}
