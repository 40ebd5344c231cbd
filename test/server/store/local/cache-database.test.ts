import { expect, it } from 'vitest'
import { createPendingAccesses } from '../../../../src/server/store/local/cache-database.js'

it('returns each item once, with its last access', () => {
  const accesses = createPendingAccesses({ limit: 10, onFull: () => undefined })
  for (let at = 1; at <= 1_000; at++) accesses.add({ entry: 'a' }, at)
  accesses.add({ image: 'b.jpg' }, 5)
  expect(accesses.take({ image: 'b.jpg' })).toBe(5)
  expect(accesses.takeAll()).toEqual([{ item: { entry: 'a' }, usedAt: 1_000 }])
  expect(accesses.takeAll()).toEqual([])
})

it('calls onFull whenever it reaches its limit', () => {
  let calls = 0
  const accesses = createPendingAccesses({ limit: 3, onFull: () => calls++ })
  for (const entry of ['a', 'b', 'b', 'c']) accesses.add({ entry }, 1)
  expect(calls).toBe(1)
  accesses.take({ entry: 'a' })
  accesses.add({ entry: 'd' }, 1)
  expect(calls).toBe(2)
})
