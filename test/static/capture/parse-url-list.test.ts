import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseUrlList } from '../../../src/static/capture/parse-url-list.js'

it('reads one URL a line, without comments and blank lines', () => {
  const text = '# all pages\r\nhttps://a.example/#part\n\n  https://b.example  # the second\r\thttps://c.example\n#'
  expect(parseUrlList(text)).toEqual(['https://a.example/#part', 'https://b.example', 'https://c.example'])
})

it.each(['', '\n\n', '# nothing'])('finds nothing in %j', (text) => {
  expect(parseUrlList(text)).toEqual([])
})

it('returns single lines without comments and blanks at their ends, whatever it reads', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.webUrl({ withFragments: true }), fc.constantFrom('#', ' ', '\n', '\r', '\t', '\0'), fc.string()),
      ),
      (parts) => {
        for (const entry of parseUrlList(parts.join(''))) {
          expect(entry).toBe(entry.trim())
          expect(entry).toMatch(/^[^#\s][^\r\n]*$/)
        }
      },
    ),
  )
  fc.assert(
    fc.property(fc.array(fc.webUrl({ withFragments: true, withQueryParameters: true })), (urls) => {
      expect(parseUrlList(urls.map((url) => `${url} # ${url}`).join('\r\n'))).toEqual(urls)
    }),
  )
})
