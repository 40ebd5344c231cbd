import type { Told } from './told.js'

/** What one word of the language does, and what it may not be. */
export interface WordCase {
  /** As it is written, where that is not the word itself. */
  name?: string
  /** Of the page that shows its effect. */
  path: string
  /** Two values that differ; the first has the effect. */
  values: [string, string]
  /** Other words beside it. */
  with?: Record<string, string>
  /** Asked of the pro host, signed. */
  isSigned?: boolean
  /** What is asked for before, with the same words but this one. */
  isSecond?: boolean
  effect: (told: Told) => void | Promise<void>
  /** Of the wrong type, out of range, or empty; none for words that take any text. */
  refused: string[]
  /** Default: `EINVALQUERY`. */
  code?: string
}
