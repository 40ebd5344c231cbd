import { foldText } from './fold-text.js'

/** The phrases of a text that separates them by `|`. */
export const phraseList = (text: string): string[] => text.split('|').map(foldText)
