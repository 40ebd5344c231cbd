import { expect, it } from 'vitest'
import { createTouches } from '../../../src/server/store/touches.js'

it('hands out each entry once with its last use, however often it was used', () => {
  const touches = createTouches({ limit: 10, onFull: () => undefined })
  for (let at = 1; at <= 1_000; at++) touches.add('answer:a', at)
  touches.add('image:b', 5)
  expect(touches.takeSome(1)).toEqual([['answer:a', 1_000]])
  expect(touches.take('image:b')).toBe(5)
  expect(touches.takeSome(10)).toEqual([])
})

it('asks to be drained when it is full, and again when that did not help', () => {
  let asked = 0
  const touches = createTouches({ limit: 3, onFull: () => asked++ })
  for (const entry of ['answer:a', 'answer:b', 'answer:b', 'answer:c'] as const) touches.add(entry, 1)
  expect(asked).toBe(1)
  touches.takeSome(2)
  touches.add('answer:d', 1)
  expect(asked).toBe(1)
  touches.add('answer:e', 1)
  expect(asked).toBe(2)
})
