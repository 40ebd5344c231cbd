// Covers `toDisplayUrl` of src/card/card-model.ts.
import { expect, it } from 'vitest'
import { toDisplayUrl } from '../../src/card/index.js'

it('displays an address without a scheme as an https URL', () => {
  expect(toDisplayUrl('www.example.com/blog/')).toEqual({
    href: 'https://www.example.com/blog/',
    host: 'example.com',
    text: 'example.com/blog',
    letter: 'E',
  })
})

it.each(['javascript:alert(1)', '/about', 'me@example.com', 'example', ''])('makes no link of "%s"', (url) => {
  expect(toDisplayUrl(url)).toEqual({ href: undefined, host: url, text: url, letter: '?' })
})
