import { expect, it } from 'vitest'
import { parameterFlag, queryLimits } from '../../../src/query/help/index.js'
import { parseQuery } from '../../../src/query/index.js'

it.each([
  ['full-page', 'boolean'],
  ['screenshot.fullPage', 'boolean'],
  ['ping.audio', 'boolean'],
  ['embed', 'boolean'],
  ['headers.user-agent', 'string'],
  ['element.0', 'string'],
  ['viewport.width', 'string'],
  ['constructor', 'string'],
  ['fullpages', undefined],
])('a command line writes the parameter --%s as %s', (name, type) => {
  expect(parameterFlag(name)).toBe(type)
})

it('states how long the host of an address may be', () => {
  const parse = (chars: number) => parseQuery({ url: `https://${'a'.repeat(chars)}/` })
  expect(() => parse(queryLimits.hostChars)).not.toThrow()
  expect(() => parse(queryLimits.hostChars + 1)).toThrow()
})
