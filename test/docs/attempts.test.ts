// Covers that README and documentation name the number of attempts of the security tests to reach a private address.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { attackedHosts } from '../security/guard-attempts.js'

const attempts = attackedHosts().flatMap((each) => each.attempts)

it.each(['README.md', 'stories/docs/security-model.mdx'])('%s names the number of attempts', (file) => {
  const [, number] = /none of (?:the )?(\d+) attempts/.exec(readFileSync(file, 'utf8')) ?? []
  expect(Number(number)).toBe(attempts.length)
})
