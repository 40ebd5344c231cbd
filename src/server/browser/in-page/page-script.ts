/** A function that runs in the page with the functions that it calls, see `runInPage`. */
export interface PageScript<Args extends unknown[], Result> {
  run: (...args: Args) => Result
  /** Functions by the names that they have in their file. They may call each other. */
  helpers: readonly ((...args: never[]) => unknown)[]
}

/** Edges in the viewport; CSS pixels. */
export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}
