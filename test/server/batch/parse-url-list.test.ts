import { expect, it } from 'vitest'
import { parseUrlList } from '../../../src/server/batch/parse-url-list.js'

it('reads one URL a line, without comments and blank lines', () => {
  const text = '# all pages\r\nhttps://a.example/#part\n\n  https://b.example  # the second\r\thttps://c.example\n#'
  expect(parseUrlList(text)).toEqual(['https://a.example/#part', 'https://b.example', 'https://c.example'])
})

it.each(['', '\n\n', '# nothing'])('finds nothing in %j', (text) => {
  expect(parseUrlList(text)).toEqual([])
})
