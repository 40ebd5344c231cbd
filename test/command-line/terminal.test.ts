import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeUnprintable, printable } from '../../src/command-line/index.js'
import { terminalOutput } from '../../src/command-line/terminal.js'

describe('escapeUnprintable', () => {
  it.each([
    ['A title', 'A title'],
    ['two\n\tlines', 'two\n\tlines'],
    ['Ünïcödé 日本語 😀 👨\u200d👩 ❤\ufe0f می\u200cشود', 'Ünïcödé 日本語 😀 👨\u200d👩 ❤\ufe0f می\u200cشود'],
    ['\u001b[31mred', String.raw`\u001b[31mred`],
    ['\u009b31mred', String.raw`\u009b31mred`],
    ['over\rwritten\b\u0000\u007f', String.raw`over\u000dwritten\u0008\u0000\u007f`],
    ['a\u202Egnp.exe\u2069\u200e\u061c', String.raw`a\u202egnp.exe\u2069\u200e\u061c`],
    ['a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
    ['\u{E0041}\u{E0100}\u115f\u00ad\ufeff', String.raw`\udb40\udc41\udb40\udd00\u115f\u00ad\ufeff`],
    ['\uD800', String.raw`\ud800`],
  ])('of %j is %j', (text, expected) => {
    expect(escapeUnprintable(text)).toBe(expected)
  })

  it('leaves the meaning of JSON as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = { [text]: `${text}\u001b\u009b\u202E\u{E0041}` }
        const json = escapeUnprintable(JSON.stringify(value, null, 2))
        expect(json).not.toMatch(/(?!\n)\p{Cc}|[\u202e\u{E0041}]/u)
        expect(JSON.parse(json)).toEqual(value)
      }),
    )
  })
})

it('only a terminal gets escaped text and has lines that can be erased', () => {
  const written: (string | Uint8Array)[] = []
  const outputs = [true, false].map((isTTY) =>
    terminalOutput({ isTTY, columns: 80, write: (content) => written.push(content) }),
  )
  for (const output of outputs) {
    output.write(Buffer.from('a\u009b'))
    output.eraseLine()
  }
  expect(written).toEqual([String.raw`a\u009b`, '\r\u001b[K', Buffer.from('a\u009b')])
  expect(outputs.map(({ columns }) => columns)).toEqual([80, 80])
})

describe('printable', () => {
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
})
