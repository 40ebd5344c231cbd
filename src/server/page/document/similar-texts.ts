const MAX_CHARS = 500
/** A word; a character in scripts without spaces between words. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu
const MIN_SHARED = 0.5

/** The words of a text, in lower case. */
const wordsOf = (text: string): string[] => text.slice(0, MAX_CHARS).toLowerCase().match(WORD) ?? []

/** Whether two texts share at least half of the words of the shorter one: a title with and without the name of its site. */
export function areSimilar(one: string, other: string): boolean {
  const [short, long] = [new Set(wordsOf(one)), new Set(wordsOf(other))].toSorted((a, b) => a.size - b.size)
  if (!short?.size || !long) return false
  let shared = 0
  for (const word of short) if (long.has(word)) shared++
  return shared / short.size >= MIN_SHARED
}
