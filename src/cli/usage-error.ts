/** The command line is wrong; the message says what, and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
