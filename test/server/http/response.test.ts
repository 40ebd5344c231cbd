import { expect, it } from 'vitest'
import { parseByteRange } from '../../../src/server/http/response.js'

it.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=990-2000', { start: 990, end: 999 }],
  ['bytes=990-', { start: 990, end: 999 }],
  ['bytes=-10', { start: 990, end: 999 }],
  ['bytes=-1000', { start: 0, end: 999 }],
  ['bytes=-2000', { start: 0, end: 999 }],
  ['bytes=-99999999999999999999999', { start: 0, end: 999 }],
  ['bytes=0-9,2000-', { start: 0, end: 9 }],
])('parses %s of 1,000 bytes', (header, range) => {
  expect(parseByteRange(header, 1_000)).toEqual(range)
})

it.each([
  null,
  '',
  'bytes',
  'bytes=',
  'bytes=x-9',
  'bytes=9-0',
  'bytes=-0',
  'bytes=1000-',
  'bytes=0-1,5-6',
  'bytes=0-9,x',
  'bytes=0x0-0x9',
  'items=0-9',
])('ignores %j, so that the whole body is sent', (header) => {
  expect(parseByteRange(header, 1_000)).toBeUndefined()
})

it('ignores every range of an empty body', () => {
  expect(parseByteRange('bytes=0-9', 0)).toBeUndefined()
  expect(parseByteRange('bytes=-9', 0)).toBeUndefined()
})
