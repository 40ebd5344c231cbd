import { expect, it } from 'vitest'
import { previewRequest } from '../../src/card/index.js'

it('takes an address without a scheme as https', () => {
  const complete = previewRequest({ url: 'https://example.com/a', screenshot: true }, {})
  const short = previewRequest({ url: 'example.com/a', screenshot: true }, {})
  expect(short.queryKey).toEqual(complete.queryKey)
  expect(short.jsonQuery?.text).toBe('screenshot=true&url=https%3A%2F%2Fexample.com%2Fa')
})

it('has no request for a text that is no address', () => {
  expect(previewRequest({ url: '/about' }, {}).jsonQuery).toBeUndefined()
})
