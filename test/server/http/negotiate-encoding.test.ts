import { expect, it } from 'vitest'
import { negotiateEncoding } from '../../../src/server/http/negotiate-encoding.js'

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['zstd', undefined],
  ['', undefined],
  [null, undefined],
  ['gzip;q=0.000', undefined],
  [' br ; q=0.5 , gzip ; q=0.6', 'gzip'],
])('selects for "%s" the content coding %s', (acceptEncoding, encoding) => {
  expect(negotiateEncoding(acceptEncoding)).toBe(encoding)
  expect(negotiateEncoding(acceptEncoding)).toBe(encoding)
})
