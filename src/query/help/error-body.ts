import type { ErrorCode, PageError } from '../index.js'

/** The JSON body of an error response. */
export interface ErrorBody {
  /** `fail` with HTTP 4xx, `error` with HTTP 5xx. */
  status: 'fail' | 'error'
  code: ErrorCode
  message: string
  /** URL of the section that explains the code. */
  more: string
  data: PageError['data']
}

/**
 * Builds the JSON body of an error response.
 *
 * @param base  URL of the service, which serves an explanation of every code.
 */
export function errorBody({ status, code, message, data }: PageError, base: string): ErrorBody {
  const more = `${base}/playground/errors.html#${code}`
  return { status: status < 500 ? 'fail' : 'error', code, message, more, data }
}
