/** The default of the callbacks that receive what reaches no caller. */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
