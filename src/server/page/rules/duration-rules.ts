import { articleProperty, meta, uniqueBodyProperty, mainEntity, mainEntityOfType, type Rule } from './rule.js'

const declared: readonly Rule[] = [meta('duration'), articleProperty('duration'), uniqueBodyProperty('duration')]

const video: readonly Rule[] = [
  meta('og:video:duration', 'video:duration'),
  mainEntityOfType(/Video|Movie|Clip/, 'duration'),
  mainEntity('video', 'duration'),
  ...declared,
]

const audio: readonly Rule[] = [
  meta('og:audio:duration', 'music:duration'),
  mainEntityOfType(/Audio|Episode|Recording/, 'duration'),
  mainEntityOfType(/Audio|Episode|Recording/, 'timeRequired'),
  mainEntity('audio', 'duration'),
  mainEntity('associatedMedia', 'duration'),
  ...declared,
]

/** The rules of the duration of each medium, in order of preference. */
export const durationRules = { audio, video } as const
