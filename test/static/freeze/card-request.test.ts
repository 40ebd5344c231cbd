import { expect, it } from 'vitest'
import { toCardRequest } from '../../../src/static/freeze/index.js'

const keyOf = (options: Record<string, unknown>) => toCardRequest({ url: 'https://a.test/', ...options }).key

it('has the same key for cards and rows of a page, and another one for images as wide as their column', () => {
  expect(keyOf({ layout: 'row' })).toBe(keyOf({ layout: 'card' }))
  expect(keyOf({ layout: 'image' })).not.toBe(keyOf({ layout: 'card' }))
})

it('has a key that distinguishes headers without naming their values, which may be credentials', () => {
  const [one, other] = [
    keyOf({ headers: { authorization: 'Bearer one' } }),
    keyOf({ headers: { authorization: 'Bearer two' } }),
  ]
  expect(one).not.toBe(other)
  expect(one + other).not.toContain('Bearer')
})
