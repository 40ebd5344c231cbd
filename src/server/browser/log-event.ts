/** Writes one log line: `event` says what happened as `noun-verb`, the other properties add details. */
export type LogEvent = (event: { event: string } & Record<string, unknown>) => void
