import type { FormWords } from '../state/form-words.js'

/** What a control needs of the form it stands in. */
export interface FormHandle {
  words: FormWords
  /** Replaces all words. */
  change: (words: FormWords) => void
  /** Changes the text of one word; `''` is its default. */
  set: (name: string, text: string) => void
  /** The sentence that says what is wrong with a word. */
  problem: (name: string) => string | undefined
}

/** Id of a word's control; also valid in a selector. */
export const controlId = (name: string) => `word-${name.replaceAll('.', '-')}`
