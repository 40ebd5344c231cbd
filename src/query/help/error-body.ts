import type { ErrorCode, PageError } from '../index.js'

/** How an error goes over the wire. */
export interface ErrorBody {
  /** Whose fault it is: `fail` the request's, `error` the service's. */
  status: 'fail' | 'error'
  code: ErrorCode
  message: string
  /** Where the code is explained. */
  more: string
  data: PageError['data']
}

/**
 * The JSON of an error.
 *
 * @param base  Address of the service, which explains every code.
 */
export function errorBody({ status, code, message, data }: PageError, base: string): ErrorBody {
  const more = `${base}/playground/errors.html#${code}`
  return { status: status < 500 ? 'fail' : 'error', code, message, more, data }
}
