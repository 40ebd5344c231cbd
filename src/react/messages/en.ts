import { englishReasons } from './english-reasons.js'
import { englishWords } from './english-words.js'
import type { Messages } from './messages.js'

/** English. */
export const en: Messages = { ...englishWords, reasons: englishReasons }
