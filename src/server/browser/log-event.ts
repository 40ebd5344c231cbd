/** Writes one log line: `event` names what happened, such as `browser-exited`, `level` is `info` by default, other properties are details. */
export type LogEvent = (event: { event: string; level?: 'warn' } & Record<string, unknown>) => void
