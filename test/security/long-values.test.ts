// Covers values of parameters that are long or slow to match, against the built service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FAILURE_THRESHOLDS, startAttackedService, type AttackedService } from './attacked-service.js'

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService()
})
afterAll(() => service.stop())

it.each([
  ['a duration of 12,000 digits', { ttl: `${'1'.repeat(12_000)}x` }],
  ['a background with 2,600 spaces', { 'overlay.background': `url(${' '.repeat(2_600)}` }],
])('rejects %s at once', async (name, parameters) => {
  const report = await service.attack(name, async () => {
    const response = await service.get({ url: service.site.url, ...parameters })
    expect(response.status).toBe(400)
  })
  expect(report.slowestHitMs).toBeLessThan(FAILURE_THRESHOLDS.slowestHitMs)
  expect(report.slowestMetadataMs).toBeLessThan(FAILURE_THRESHOLDS.slowestMetadataMs)
})
