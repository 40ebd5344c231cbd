import { englishLabels } from './english-labels.js'
import { englishReasons } from './english-reasons.js'
import type { Messages } from './messages.js'

/** English. */
export const en: Messages = { ...englishLabels, reasons: englishReasons }
