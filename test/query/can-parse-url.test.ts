import { expect, it } from 'vitest'
import { canParseUrl } from '../../src/query/can-parse-url.js'

it.each([
  ['https://bücher.example:8443/neu/', undefined, true],
  ['https://пример.рф/', undefined, true],
  ['/neu', 'https://bücher.example/', true],
  ['/neu', undefined, false],
  ['https://', undefined, false],
  ['https://a b/', undefined, false],
])('%s with the base %s: %s', (text, base, expected) => expect(canParseUrl(text, base)).toBe(expected))

it('does not forget hosts in Unicode, however often it is called', () => {
  const results = Array.from({ length: 20_000 }, () => canParseUrl('https://bücher.example/'))
  expect(results).not.toContain(false)
})
