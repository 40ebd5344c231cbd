import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepAnswers } from '../../src/embed/previews/keep-answers.js'

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

async function visit(answers: Record<string, unknown> = {}): Promise<QueryClient> {
  const queryClient = new QueryClient()
  await keepAnswers(queryClient)
  for (const [name, answer] of Object.entries(answers)) queryClient.setQueryData([name], answer)
  await vi.advanceTimersByTimeAsync(2_000)
  return queryClient
}

it('gives an answer of an earlier visit back', async () => {
  await visit({ tides: 'high' })
  expect((await visit()).getQueryData(['tides'])).toBe('high')
})

it('forgets what is older than a week, whatever came later', async () => {
  await visit({ old: 1 })
  vi.setSystemTime(Date.now() + 5 * DAY_MS)
  await visit({ new: 2 })
  vi.setSystemTime(Date.now() + 3 * DAY_MS)
  await visit({ newest: 3 })
  const queryClient = await visit()
  expect(['old', 'new', 'newest'].map((name) => queryClient.getQueryData([name]))).toEqual([undefined, 2, 3])
})

it('forgets what another version of the script has kept', async () => {
  await visit({ tides: 'high' })
  vi.stubGlobal('__VERSION__', '1.0.1')
  expect((await visit()).getQueryData(['tides'])).toBeUndefined()
})

it('keeps half a million characters, the newest answers', async () => {
  const queryClient = await visit()
  for (let at = 0; at < 100; at++) {
    queryClient.setQueryData([at], 'x'.repeat(10_000))
    vi.advanceTimersByTime(10)
  }
  await vi.advanceTimersByTimeAsync(2_000)
  expect(localStorage.getItem('page-preview')!.length).toBeLessThan(510_000)
  const later = await visit()
  expect([0, 99].map((at) => Boolean(later.getQueryData([at])))).toEqual([false, true])
})

it('goes on where the storage is full', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const queryClient = await visit({ tides: 'high' })
  expect(queryClient.getQueryData(['tides'])).toBe('high')
})
