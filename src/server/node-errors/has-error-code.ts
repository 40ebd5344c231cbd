/**
 * Whether something that was thrown is an error with one of these codes.
 *
 * @param codes  Of Node: https://nodejs.org/api/errors.html#nodejs-error-codes, and of the system: `ENOENT`.
 */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
