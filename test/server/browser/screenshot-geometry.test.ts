import { describe, expect, it } from 'vitest'
import { intersection, padBox } from '../../../src/server/browser/screenshot-geometry.js'

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const document = box(0, 0, 300, 2_000)

describe('the intersection of two boxes', () => {
  it.each([
    ['inside', box(10, 20, 30, 40), box(10, 20, 30, 40)],
    ['across an edge', box(290, 1_990, 30, 40), box(290, 1_990, 10, 10)],
    ['around', box(0, 0, 900, 9_000), document],
  ])('of one %s', (_, one, expected) => {
    expect(intersection(one, document)).toEqual(expected)
  })

  it('has no area when they do not meet', () => {
    expect(intersection(box(300, 0, 10, 10), document).width).toBeLessThanOrEqual(0)
    expect(intersection(box(0, 5_000, 10, 10), document).height).toBeLessThanOrEqual(0)
  })
})

describe('padding', () => {
  it.each([
    ['on all sides', box(100, 100, 50, 50), box(90, 90, 70, 70)],
    ['up to the edges of the document', box(5, 1_945, 290, 50), box(0, 1_935, 300, 65)],
    ['without cutting a box that is larger than the document', box(-20, 100, 400, 50), box(-20, 90, 400, 70)],
  ])('is added %s', (_, one, expected) => {
    expect(padBox(one, 10, document)).toEqual(expected)
  })
})
