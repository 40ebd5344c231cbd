import { expect, it } from 'vitest'
import { completeUrl } from '../../src/query/complete-url.js'

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
