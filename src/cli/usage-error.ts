/** The command line is invalid; the message names the mistake and the correction. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
