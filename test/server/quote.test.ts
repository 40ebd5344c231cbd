import { expect, it } from 'vitest'
import { quote } from '../../src/server/quote.js'

it.each([
  ['https://site.example/', '"https://site.example/"'],
  ['main > p', '"main > p"'],
  ['a {\n  color: red\n}', '"a { color: red }"'],
  ['x'.repeat(200), `"${'x'.repeat(200)}"`],
  ['x'.repeat(201), `"${'x'.repeat(200)}…"`],
  [`${'x'.repeat(199)}😀y`, `"${'x'.repeat(199)}…"`],
])('quotes a text in a sentence: %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted)
})
