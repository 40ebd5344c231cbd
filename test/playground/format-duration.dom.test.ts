import { expect, it } from 'vitest'
import { durationValue, formatDuration, formatPeriod } from '../../src/playground/format-duration.js'

it.each([
  [formatDuration, 11.6, '12 ms'],
  [formatDuration, 1_580, '1.58 s'],
  [formatDuration, 28_000, '28.0 s'],
  [formatPeriod, 0, '0 s'],
  [formatPeriod, 59_400, '59 s'],
  [formatPeriod, 11_520_000, '3 h 12 m'],
  [formatPeriod, 56_400_000, '15 h 40 m'],
  [formatPeriod, 86_400_000, '24 h'],
  [formatPeriod, 3 * 86_400_000 + 7_200_000, '3 d 2 h'],
  [formatPeriod, 31 * 86_400_000, '31 d'],
  [durationValue, 90_000, '90s'],
  [durationValue, 86_400_000, '1d'],
  [durationValue, 1_500, '1500'],
])('%o formats %d ms as %s', (format, ms, text) => {
  expect(format(ms)).toBe(text)
})
