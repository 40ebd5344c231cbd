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

/**
 * Whether a folded text contains one of the phrases as words of their own: `no app` is not part of `no appointment`. Only Latin letters
 * and digits have such limits here; `whole` is the same as `words`.
 */
export const includesWords = (text: string, phrases: readonly LabelPhrase[]): boolean =>
  phrases.some(({ match, text: phrase }) => {
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
      const end = at + phrase.length
      const continues = match !== 'stem' && areOneWord(text.charAt(end - 1), text.charAt(end))
      if (!continues && !areOneWord(text.charAt(at - 1), text.charAt(at))) return true
    }
    return false
  })

const areOneWord = (first: string, second: string) => LATIN.test(first) && LATIN.test(second)
const LATIN = /[\p{Script=Latin}\p{N}]/u

/** How a label is compared with a phrase: it is the same, begins with the same words, or begins with the same letters. */
export interface LabelPhrase {
  match: 'whole' | 'words' | 'stem'
  text: string
}

/** The phrases of labels in a text that separates them by `|`: `=continue` is the whole label, `accept*` the beginning of a word. */
export const labelList = (text: string): LabelPhrase[] =>
  phraseList(text).map((phrase) => {
    if (phrase.startsWith('=')) return { match: 'whole', text: phrase.slice(1) }
    if (phrase.endsWith('*')) return { match: 'stem', text: phrase.slice(0, -1) }
    return { match: 'words', text: phrase }
  })

/** Whether a label is one of the phrases, or begins with it. */
export function isLabelOf(label: string, phrases: readonly LabelPhrase[]): boolean {
  const words = foldText(label)
  return phrases.some(({ match, text }) => {
    // A symbol, such as `×`, is punctuation itself.
    if (match === 'whole') return words === text || trimPunctuation(words) === text
    if (!words.startsWith(text)) return false
    return match === 'stem' || !isWordCharacter(words.charAt(text.length))
  })
}
