import { inArticle, meta, onlyInBody, subject, subjectFile, type Rule } from './rule.js'

const declared: readonly Rule[] = [meta('duration'), inArticle('duration'), onlyInBody('duration')]

const video: readonly Rule[] = [
  meta('og:video:duration', 'video:duration'),
  subjectFile(/Video|Movie|Clip/, 'duration'),
  subject('video', 'duration'),
  ...declared,
]

const audio: readonly Rule[] = [
  meta('og:audio:duration', 'music:duration'),
  subjectFile(/Audio|Episode|Recording/, 'duration'),
  subjectFile(/Audio|Episode|Recording/, 'timeRequired'),
  subject('audio', 'duration'),
  subject('associatedMedia', 'duration'),
  ...declared,
]

/** Where the length of each medium is looked for, best place first. */
export const durationRules = { audio, video } as const
