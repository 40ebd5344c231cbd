/**
 * Every way a request can fail and its HTTP status; the codes are wire format. `0` is never sent by the service: the client
 * creates these itself.
 */
export const errorCodes = {
  EINVALURL: 400,
  EINVALQUERY: 400,
  EINVALTTL: 400,
  EINVALSTTL: 400,
  EHEADERS: 400,
  EINVALOVERLAYBG: 400,
  EAUTH: 401,
  EFORBIDDENURL: 403,
  ENOEMBED: 404,
  ENOTFOUND: 404,
  EMETHOD: 405,
  EREMOVED: 410,
  EELEMENT: 422,
  ETOOLARGE: 422,
  ERATE: 429,
  EFATAL: 500,
  EUNREACHABLE: 502,
  EMAXREDIRECTS: 502,
  EBUSY: 503,
  ETIMEOUT: 504,
  EBRWSRTIMEOUT: 504,
  EFATALCLIENT: 0,
  EABORTED: 0,
  ETIMEOUTCLIENT: 0,
} as const

export type ErrorCode = keyof typeof errorCodes

/** What a `PageError` may carry in addition to its code. */
export interface PageErrorOptions {
  /** The reason per parameter of the query, for example `{ element: 'missing' }`. */
  data?: Readonly<Record<string, string>> | undefined
  /** HTTP status, if the code allows more than one (`EAUTH`: 401 or 403). Default: the table's. */
  status?: number | undefined
  /** When a retry may succeed, milliseconds from now. */
  retryAfterMs?: number | undefined
  /** The error that caused this one. */
  cause?: unknown
}

/** The one error of Page Preview: callers switch on `code`, people read `message`. */
export class PageError extends Error {
  override readonly name = 'PageError'
  // Only declared: the constructor sets them, so no code is needed here.
  /** What went wrong. Its meaning never changes. */
  declare readonly code: ErrorCode
  /** HTTP status of the response; 0 if there was none. */
  declare readonly status: number
  /** The reason for each parameter that caused it, such as `{ element: 'missing' }`; empty if none did. */
  declare readonly data: Readonly<Record<string, string>>
  /** When the same request may succeed, milliseconds after the error; `undefined` if the service does not say. */
  declare readonly retryAfterMs: number | undefined

  /** @param message  What happened and what to do, as a sentence. */
  constructor(code: ErrorCode, message: string, options: PageErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.status = options.status ?? errorCodes[code]
    this.data = options.data ?? {}
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Recognises a `PageError` also when it comes from another copy of this module, or another frame. */
export function isPageError(error: unknown): error is PageError {
  return (error as Error | undefined)?.name === 'PageError'
}

/**
 * Whether the same request may succeed later: when the network failed, or when the service or the page was busy or did not respond.
 * It fails again for an invalid query, a key or page that is refused, a missing element, and a URL where no service responds.
 *
 * @param ageMs  Milliseconds since the failure: after `ERATE` nothing succeeds before `retryAfterMs` has passed.
 */
export function canRetry({ code, status, retryAfterMs = 0 }: PageError, ageMs = 0): boolean {
  if (code === 'ERATE') return ageMs >= retryAfterMs
  return code !== 'EMAXREDIRECTS' && (status === 0 || status === 408 || status >= 500)
}

/**
 * The error for one invalid parameter.
 *
 * @param reason  Completes the sentence that begins with the name: `must be true or false`.
 */
export function invalidParameter(name: string, reason: string, code: ErrorCode = 'EINVALQUERY'): PageError {
  return new PageError(code, `${name} ${reason}.`, { data: { [name]: reason } })
}
