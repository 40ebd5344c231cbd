import { expect, it } from 'vitest'
import { estimateBrowserAgeDays } from '../../../src/server/browser/running-browser.js'

it.each([
  ['143.0.7499.0', '2026-02-01', 61],
  ['120.0.6099.0', '2023-12-05', 0],
  ['153.0.1.2', '2026-09-08', 0],
  ['156.0.1.2', '2026-11-22', 33],
  ['200.0', '2026-11-22', 0],
])('estimates the age of %s on %s within two weeks of %i days', (version, day, days) => {
  expect(Math.abs(estimateBrowserAgeDays(version, Date.parse(day))! - days)).toBeLessThanOrEqual(14)
})

it('knows nothing of a version without a number', () => {
  expect(estimateBrowserAgeDays('unknown', Date.now())).toBeUndefined()
})
