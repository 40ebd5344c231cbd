import type { PageFacts } from './page-facts.js'
import { durationRules } from './rules/index.js'

const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i
const CLOCK = /^(?:(\d{1,2}):)?(\d{1,2}):(\d\d)$/
const MAX_DURATION_S = 1_000_000
const MAX_DURATION_CHARS = 40

/** How long the page says that its sound or film is: whole seconds; `undefined` when it does not say. */
export function findDuration(facts: PageFacts, medium: keyof typeof durationRules): number | undefined {
  for (const rule of durationRules[medium])
    for (const text of rule(facts)) {
      const seconds = text === undefined ? undefined : readDuration(text)
      if (seconds !== undefined) return seconds
    }
  return undefined
}

/** `12:07`; with hours `1:02:03`. */
export function prettyDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  const parts = hours ? [hours, twoDigits(minutes)] : [minutes]
  return [...parts, twoDigits(seconds % 60)].join(':')
}

/** ISO 8601, a clock, or plain seconds. */
function readDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_DURATION_CHARS) return undefined
  const [, days, hours, minutes, seconds] = ISO.exec(trimmed) ?? []
  const [, clockHours, clockMinutes, clockSeconds] = CLOCK.exec(trimmed) ?? []
  const total = /^\d+(\.\d+)?$/.test(trimmed)
    ? Number(trimmed)
    : number(days) * 86_400 +
      number(hours ?? clockHours) * 3_600 +
      number(minutes ?? clockMinutes) * 60 +
      number(seconds ?? clockSeconds)
  const rounded = Math.round(total)
  return rounded > 0 && rounded <= MAX_DURATION_S ? rounded : undefined
}

const number = (digits = '0') => Number(digits.replace(',', '.'))
const twoDigits = (value: number) => String(value).padStart(2, '0')
