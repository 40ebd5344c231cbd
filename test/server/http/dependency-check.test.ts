// Covers when the remote stores are checked for `/readyz` and the metrics.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDependencyCheck } from '../../../src/server/http/operational-routes.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function countingHealth(check: () => Promise<void> = async () => undefined) {
  const health = {
    checks: 0,
    redis: 'ok' as 'ok' | 'unreachable',
    dependencies: () => ({ redis: health.redis }),
    async checkDependencies() {
      health.checks++
      await check()
    },
  }
  return health
}

it('checks at most once in five seconds, however many ask', async () => {
  const health = countingHealth()
  const read = createDependencyCheck(health)
  const answers = await Promise.all(Array.from({ length: 200 }, read))
  expect(new Set(answers.map(({ redis }) => redis))).toEqual(new Set(['ok']))
  vi.advanceTimersByTime(4_999)
  await read()
  expect(health.checks).toBe(1)
  vi.advanceTimersByTime(1)
  await read()
  expect(health.checks).toBe(2)
})

it('tells what requests found out since the last check', async () => {
  const health = countingHealth()
  const read = createDependencyCheck(health)
  await read()
  health.redis = 'unreachable'
  expect([await read(), health.checks]).toEqual([{ redis: 'unreachable' }, 1])
})

it('does not wait for a store that does not respond', async () => {
  const health = countingHealth(() => new Promise(() => undefined))
  expect(await createDependencyCheck(health)()).toEqual({ redis: 'ok' })
})
