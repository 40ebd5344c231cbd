import { expect, it } from 'vitest'
import { createPendingAccesses } from '../../../../src/server/store/local/pending-accesses.js'

it('hands out each entry once with its last use, however often it was used', () => {
  const pendingAccesses = createPendingAccesses({ limit: 10, onFull: () => undefined })
  for (let at = 1; at <= 1_000; at++) pendingAccesses.add('entry:a', at)
  pendingAccesses.add('image:b', 5)
  expect(pendingAccesses.takeBatch(1)).toEqual([['entry:a', 1_000]])
  expect(pendingAccesses.take('image:b')).toBe(5)
  expect(pendingAccesses.takeBatch(10)).toEqual([])
})

it('asks to be drained when it is full, and again when that did not help', () => {
  let asked = 0
  const pendingAccesses = createPendingAccesses({ limit: 3, onFull: () => asked++ })
  for (const entry of ['entry:a', 'entry:b', 'entry:b', 'entry:c'] as const) pendingAccesses.add(entry, 1)
  expect(asked).toBe(1)
  pendingAccesses.takeBatch(2)
  pendingAccesses.add('entry:d', 1)
  expect(asked).toBe(1)
  pendingAccesses.add('entry:e', 1)
  expect(asked).toBe(2)
})
