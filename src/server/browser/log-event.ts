/** Writes one log line: `event` names what happened as `noun-verb`, the other properties are its details. */
export type LogEvent = (event: { event: string } & Record<string, unknown>) => void
