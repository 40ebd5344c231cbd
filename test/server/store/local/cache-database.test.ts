import { expect, it } from 'vitest'
import { createPendingAccesses } from '../../../../src/server/store/local/cache-database.js'

it('returns each item once, with its last access', () => {
  const pendingAccesses = createPendingAccesses({ limit: 10, onFull: () => undefined })
  for (let at = 1; at <= 1_000; at++) pendingAccesses.add('entry:a', at)
  pendingAccesses.add('image:b', 5)
  expect(pendingAccesses.takeBatch(1)).toEqual([['entry:a', 1_000]])
  expect(pendingAccesses.take('image:b')).toBe(5)
  expect(pendingAccesses.takeBatch(10)).toEqual([])
})

it('calls onFull whenever it reaches its limit', () => {
  let calls = 0
  const pendingAccesses = createPendingAccesses({ limit: 3, onFull: () => calls++ })
  for (const item of ['entry:a', 'entry:b', 'entry:b', 'entry:c'] as const) pendingAccesses.add(item, 1)
  expect(calls).toBe(1)
  pendingAccesses.takeBatch(2)
  pendingAccesses.add('entry:d', 1)
  expect(calls).toBe(1)
  pendingAccesses.add('entry:e', 1)
  expect(calls).toBe(2)
})
