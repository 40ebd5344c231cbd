/** No browser can take the page, which is not the page's fault; the cause is for the log only. */
export class BrowserUnavailableError extends Error {
  override readonly name = 'BrowserUnavailableError'

  /** @param retryAfterMs  When another attempt makes sense, milliseconds from now. Default: at once. */
  constructor(
    reason: string,
    readonly retryAfterMs = 0,
    options: { cause?: unknown } = {},
  ) {
    super(reason, options)
  }
}
