import { describe, expect, it } from 'vitest'
import { canParseUrl, completeUrl } from '../../src/query/written-url.js'

describe('a text that may be a URL', () => {
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
})

describe('an address as people write it', () => {
  it.each(['example.com', 'example.com/a?b#c', 'localhost.test:8080', 'münchen.example', '127.0.0.1:5173/'])(
    '"%s" becomes an https URL',
    (text) => {
      expect(completeUrl(text)).toBe(`https://${text}`)
    },
  )

  it.each([
    'http://example.com',
    'https://example.com',
    'javascript:alert(1)',
    'mailto:me@example.com',
    'a b.example',
    '/a.b',
    'word',
    '',
  ])('"%s" stays as it is', (text) => {
    expect(completeUrl(text)).toBe(text)
  })

  it('takes a `URL`', () => {
    expect(completeUrl(new URL('https://example.com/a'))).toBe('https://example.com/a')
  })
})
