import { PageError, type ErrorCode } from './page-error.js'

/**
 * The error for one invalid parameter.
 *
 * @param reason  Completes the sentence that begins with the name: `must be true or false`.
 */
export function invalidParameter(name: string, reason: string, code: ErrorCode = 'EINVALQUERY'): PageError {
  return new PageError(code, `${name} ${reason}.`, { data: { [name]: reason } })
}
