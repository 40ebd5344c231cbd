import type { Messages } from './messages.js'

/** The English texts that only previews need whose page has video or audio. */
export const englishPlayLabels = {
  audio: 'Play audio',
  video: 'Play video',
} as const satisfies Partial<Messages>
