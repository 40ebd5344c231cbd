import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileName } from '../../../src/static/capture/file-name.js'

const key = '0123456789abcdef'

it.each([
  ['https://www.example.com/', 'example.com-0123456789.jpg'],
  ['https://example.com/A page/?q=1#x', 'example.com-a-page-0123456789.jpg'],
  ['https://example.com/../../etc/passwd', 'example.com-etc-passwd-0123456789.jpg'],
  ['not a url', 'not-a-url-0123456789.jpg'],
  ['', 'page-0123456789.jpg'],
  [`https://example.com/${'a'.repeat(9_000)}`, `example.com-${'a'.repeat(68)}-0123456789.jpg`],
])('of %s is %s', (url, name) => {
  expect(fileName(url, { key, type: 'jpg' })).toBe(name)
})

it('is a plain name of bounded length for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'binary' })), (url) => {
      expect(fileName(url, { key, type: 'webp' })).toMatch(/^[a-z\d][a-z\d.-]{0,90}-0123456789\.webp$/)
    }),
  )
})
