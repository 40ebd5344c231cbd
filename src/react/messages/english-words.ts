import type { Messages } from './messages.js'

/** English, without the reasons of failures, which most previews never need. */
export const englishWords: Omit<Messages, 'reasons'> = {
  locale: 'en',
  retry: 'Retry',
  updating: 'Updating',
  saved: (age) => `Saved ${age}`,
  screenshot: (host) => `Screenshot of ${host}`,
  image: (host) => `Picture of ${host}`,
  audio: 'Play audio',
  video: 'Play video',
  loaded: 'The preview is there now.',
  failed: (reason) => `No preview: ${reason}.`,
}
