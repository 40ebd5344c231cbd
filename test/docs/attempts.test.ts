// Covers that the documentation names the number of attempts of the security tests to reach a private address.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { attackedHosts } from '../security/guard-attempts.js'

const attempts = attackedHosts().flatMap((each) => each.attempts)

it('names the number of attempts', () => {
  const page = readFileSync('stories/docs/security-model.mdx', 'utf8')
  const [, number] = /none of (?:the )?(\d+) attempts/.exec(page) ?? []
  expect(Number(number)).toBe(attempts.length)
})
