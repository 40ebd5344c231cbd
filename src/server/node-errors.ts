/**
 * Whether something that was thrown is an error with one of these codes.
 *
 * @param codes  Codes of Node (https://nodejs.org/api/errors.html#nodejs-error-codes) or of the system, such as `ENOENT`.
 */
export const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** For `catch`: an error with one of these codes leads to `undefined`, as with a file that may be missing. */
export const ignoreCodes =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!hasErrorCode(error, ...codes)) throw error
  }
