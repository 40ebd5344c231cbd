import { PageError, type ErrorCode } from './page-error.js'

/**
 * Throws the error for one bad word.
 *
 * @param reason  Reads on from the word's name.
 */
export function refuseWord(name: string, reason: string, code: ErrorCode = 'EINVALQUERY'): never {
  throw new PageError(code, `${name} ${reason}.`, { data: { [name]: reason } })
}
