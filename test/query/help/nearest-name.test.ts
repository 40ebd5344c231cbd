import { expect, it } from 'vitest'
import { nearestName } from '../../../src/query/help/index.js'

it.each([
  ['colorSchem', ['element', 'colorScheme'], 'colorScheme'],
  ['iphon', ['iPad', 'iPhone 6', 'iPhone 6 Plus'], 'iPhone 6'],
  ['samsung galaxy s8', ['Macbook Pro 13', 'Galaxy S8'], 'Galaxy S8'],
  ['FULL_PAGE', ['fullPage', 'palette'], 'fullPage'],
  ['pixl 5', ['Pixel 2', 'Pixel 5'], 'Pixel 5'],
])('of "%s" among %j is %s', (written, names, nearest) => {
  expect(nearestName(written, names)).toBe(nearest)
})

it('is undefined if too many letters differ', () => {
  expect(nearestName('xyz', ['abc'], 2)).toBeUndefined()
  expect(nearestName('xyz', [])).toBeUndefined()
})

it('takes no longer for a name of any length', () => {
  expect(nearestName('a'.repeat(1e6), ['aaaa', 'b'])).toBe('aaaa')
})
