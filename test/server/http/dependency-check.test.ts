// Covers when the remote stores are checked for `/readyz` and the metrics.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDependencyCheck } from '../../../src/server/http/operational-routes.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function countingStore(check: () => Promise<void> = async () => undefined) {
  const store = {
    checks: 0,
    redis: 'ok' as 'ok' | 'unreachable',
    dependencies: () => ({ redis: store.redis }),
    async checkDependencies() {
      store.checks++
      await check()
    },
  }
  return store
}

it('checks at most once in five seconds, however many ask', async () => {
  const store = countingStore()
  const read = createDependencyCheck(store)
  const answers = await Promise.all(Array.from({ length: 200 }, read))
  expect(new Set(answers.map(({ redis }) => redis))).toEqual(new Set(['ok']))
  vi.advanceTimersByTime(4_999)
  await read()
  expect(store.checks).toBe(1)
  vi.advanceTimersByTime(1)
  await read()
  expect(store.checks).toBe(2)
})

it('tells what requests found out since the last check', async () => {
  const store = countingStore()
  const read = createDependencyCheck(store)
  await read()
  store.redis = 'unreachable'
  expect([await read(), store.checks]).toEqual([{ redis: 'unreachable' }, 1])
})

it('does not wait for a store that does not respond', async () => {
  const store = countingStore(() => new Promise(() => undefined))
  expect(await createDependencyCheck(store)()).toEqual({ redis: 'ok' })
})
