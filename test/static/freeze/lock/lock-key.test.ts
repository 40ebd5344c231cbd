import { expect, it } from 'vitest'
import { lockKeyOf } from '../../../../src/static/freeze/lock/lock-key.js'
import { toCardRequest } from '../../../../src/static/freeze/markup/index.js'

const keyOf = (options: Record<string, unknown>) => lockKeyOf(toCardRequest({ url: 'https://a.test/', ...options }))

it('is the same for cards and rows of a page, and another for images as wide as their column', () => {
  expect(keyOf({ layout: 'row' })).toBe(keyOf({ layout: 'card' }))
  expect(keyOf({ layout: 'image' })).not.toBe(keyOf({ layout: 'card' }))
})

it('distinguishes headers without naming their values, which may be credentials', () => {
  const [one, other] = [
    keyOf({ headers: { authorization: 'Bearer one' } }),
    keyOf({ headers: { authorization: 'Bearer two' } }),
  ]
  expect(one).not.toBe(other)
  expect(one + other).not.toContain('Bearer')
})
