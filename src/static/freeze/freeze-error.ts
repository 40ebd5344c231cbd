/** A run cannot continue; the message says what happened and what to do. Finished previews are kept. */
export class FreezeError extends Error {
  override readonly name = 'FreezeError'
}
