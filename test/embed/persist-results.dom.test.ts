import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { persistResults } from '../../src/embed/persist-results.js'

vi.stubGlobal('__VERSION__', '1.0.0')
const DAY_MS = 86_400_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.stubGlobal('__VERSION__', '1.0.0')
  localStorage.clear()
})

async function visit(results: Record<string, unknown> = {}): Promise<QueryClient> {
  const queryClient = new QueryClient()
  await persistResults(queryClient)
  for (const [name, result] of Object.entries(results)) queryClient.setQueryData([name], result)
  await vi.advanceTimersByTimeAsync(2_000)
  return queryClient
}

it('restores a result of an earlier visit', async () => {
  await visit({ tides: 'high' })
  expect((await visit()).getQueryData(['tides'])).toBe('high')
})

it('drops results that are older than a week, even if newer ones were stored later', async () => {
  await visit({ old: 1 })
  vi.setSystemTime(Date.now() + 5 * DAY_MS)
  await visit({ new: 2 })
  vi.setSystemTime(Date.now() + 3 * DAY_MS)
  await visit({ newest: 3 })
  const queryClient = await visit()
  expect(['old', 'new', 'newest'].map((name) => queryClient.getQueryData([name]))).toEqual([undefined, 2, 3])
})

it('drops what another version of the script has stored', async () => {
  await visit({ tides: 'high' })
  vi.stubGlobal('__VERSION__', '1.0.1')
  expect((await visit()).getQueryData(['tides'])).toBeUndefined()
})

it('stores the newest results, up to half a million characters', async () => {
  const queryClient = await visit()
  for (let index = 0; index < 100; index++) {
    queryClient.setQueryData([index], 'x'.repeat(10_000))
    vi.advanceTimersByTime(10)
  }
  await vi.advanceTimersByTimeAsync(2_000)
  expect(localStorage.getItem('page-preview')!.length).toBeLessThan(510_000)
  const restored = await visit()
  expect([0, 99].map((index) => Boolean(restored.getQueryData([index])))).toEqual([false, true])
})

it('works without storing anything while the storage is full', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const queryClient = await visit({ tides: 'high' })
  expect(queryClient.getQueryData(['tides'])).toBe('high')
})
