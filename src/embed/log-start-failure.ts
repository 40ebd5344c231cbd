/** Logs for the author of the page, in the console, why there are no previews. */
export function logStartFailure(error: unknown): undefined {
  console.error('page-preview cannot start:', error)
}
