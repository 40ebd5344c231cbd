/** A page responded, but not with its content. */
export class PageFailure extends Error {
  override readonly name = 'PageFailure'

  /** @param code  What it responded with instead: `HTTP 404`, or a state such as `bot-check`. */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}
