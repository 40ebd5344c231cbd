/**
 * Whether something that was thrown is an error with one of these codes.
 *
 * @param codes  Codes of Node (https://nodejs.org/api/errors.html#nodejs-error-codes) or of the system, such as `ENOENT`.
 */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
