import { englishAlt } from '../../card/index.js'
import type { Messages } from './messages.js'

/** English, without the reasons of failures, which most previews never need: bundlers split at modules. */
export const englishLabels: Omit<Messages, 'reasons'> = {
  locale: 'en',
  retry: 'Retry',
  updating: 'Updating',
  saved: (age) => `Saved ${age}`,
  ...englishAlt,
  audio: 'Play audio',
  video: 'Play video',
  loaded: 'The preview has loaded.',
  failed: (reason) => `No preview: ${reason}.`,
}
