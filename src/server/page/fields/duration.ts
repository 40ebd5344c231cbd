import type { MetadataSources } from '../document/index.js'
import { articleProperty, mainEntity, mainEntityOfType, meta, uniqueBodyProperty, type Rule } from './rule.js'

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
const durationRules = { audio, video } as const

const ISO_8601 = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i
const CLOCK = /^(?:(\d{1,2}):)?(\d{1,2}):(\d\d)$/
const MAX_DURATION_S = 1_000_000
const MAX_DURATION_CHARS = 40

/** The duration of the audio or video, in whole seconds; `undefined` when the page does not state it. */
export function findDuration(sources: MetadataSources, medium: keyof typeof durationRules): number | undefined {
  for (const { read } of durationRules[medium])
    for (const text of read(sources)) {
      const seconds = text === undefined ? undefined : parseDuration(text)
      if (seconds !== undefined) return seconds
    }
  return undefined
}

/** `12:07`; with hours `1:02:03`. */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  const parts = hours ? [hours, twoDigits(minutes)] : [minutes]
  return [...parts, twoDigits(seconds % 60)].join(':')
}

/** Reads ISO 8601, `1:02:03`, or a number of seconds. */
function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_DURATION_CHARS) return undefined
  const [, days, hours, minutes, seconds] = ISO_8601.exec(trimmed) ?? []
  const [, clockHours, clockMinutes, clockSeconds] = CLOCK.exec(trimmed) ?? []
  const total = /^\d+(\.\d+)?$/.test(trimmed)
    ? Number(trimmed)
    : toNumber(days) * 86_400 +
      toNumber(hours ?? clockHours) * 3_600 +
      toNumber(minutes ?? clockMinutes) * 60 +
      toNumber(seconds ?? clockSeconds)
  const rounded = Math.round(total)
  return rounded > 0 && rounded <= MAX_DURATION_S ? rounded : undefined
}

const toNumber = (digits = '0') => Number(digits.replace(',', '.'))
const twoDigits = (value: number) => String(value).padStart(2, '0')
