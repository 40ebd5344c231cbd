import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printableJson } from '../../../src/server/terminal/index.js'

it('contains no control characters, and means the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = { text: `${text}\u001b\u009b\u202E\u{E0041}` }
      expect(printableJson(value)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(JSON.parse(printableJson(value))).toEqual(value)
      expect(JSON.parse(printableJson(value, 2))).toEqual(value)
    }),
  )
})
