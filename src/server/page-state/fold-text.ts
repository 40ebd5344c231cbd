/** Lower case, with single spaces and straight quotes. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/[’‘`]/g, "'").replace(/\s+/g, ' ').trim()

/** Removes quotes, brackets and punctuation at both ends. */
export function trimPunctuation(text: string): string {
  const characters = Array.from(text)
  const start = characters.findIndex(isWordCharacter)
  return start < 0 ? '' : characters.slice(start, characters.findLastIndex(isWordCharacter) + 1).join('')
}

const isWordCharacter = (character: string) => /[\p{L}\p{M}\p{N}]/u.test(character)

/** Whether a folded text contains one of the phrases, which are folded too. */
export const includesAny = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase))

/** The phrases of a text that separates them by `|`, folded. */
export const phraseList = (text: string): string[] => text.split('|').map(foldText)
