import { englishAlt } from '../../card/index.js'
import { englishFailureTexts } from './english-failure-texts.js'
import { englishPlayLabels } from './english-play-labels.js'
import { englishLabels, type Messages } from './messages.js'

export { ar } from './ar.js'
export { de } from './de.js'
export { es } from './es.js'
export { fr } from './fr.js'
export { ja } from './ja.js'
export { pt } from './pt.js'
export type { Messages } from './messages.js'

/** English. */
export const en: Messages = { ...englishLabels, ...englishAlt, ...englishPlayLabels, ...englishFailureTexts }
