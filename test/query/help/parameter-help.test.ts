import { expect, it } from 'vitest'
import { parameterFlag } from '../../../src/query/help/index.js'

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
