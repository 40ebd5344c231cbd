/** A run cannot go on; the message says what happened and what to do. What is finished is kept. */
export class FreezeError extends Error {
  override readonly name = 'FreezeError'
}
