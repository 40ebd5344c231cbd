import { expect, it } from 'vitest'
import { hasPassword } from '../../../src/server/secrets/index.js'

it.each([
  ['redis://:hush@cache', true],
  ['s3://key:hush@previews', true],
  ['redis://user@cache', false],
  ['redis://cache', false],
  ['no URL', false],
])('hasPassword(%s) is %s', (text, expected) => {
  expect(hasPassword(text)).toBe(expected)
})
