import { expect, it } from 'vitest'
import { printable } from '../../../src/server/commands/printable.js'

it.each([
  ['A title', 'A title'],
  ['Ünïcödé 日本語 😀', 'Ünïcödé 日本語 😀'],
  ['\u001b[31mred\u001b[0m', ' [31mred [0m'],
  ['\u001b]0;title\u0007', ' ]0;title '],
  ['\u009b31mred', ' 31mred'],
  ['two\r\nlines', 'two lines'],
  ['a\u202Egnp.exe', 'a gnp.exe'],
  ['a\u2028b', 'a b'],
  ['\uD800', ' '],
])('prints %j as %j', (text, expected) => {
  expect(printable(text)).toBe(expected)
})

it('cuts long text', () => {
  expect(printable('a'.repeat(1_000_000), 10)).toBe('aaaaaaaaa…')
  expect(printable('a'.repeat(10), 10)).toBe('aaaaaaaaaa')
})
