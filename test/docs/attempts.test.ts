// Covers that the documentation names the number of attempts of the security tests: to reach a private address, and to hide a text.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { attackedHosts } from '../security/guard-attempts.js'
import { hiddenTexts } from '../security/hidden-texts.js'

const attempts = attackedHosts().flatMap((each) => each.attempts)

it('names the number of attempts', () => {
  const page = readFileSync('stories/docs/security-model.mdx', 'utf8')
  const [, number] = /none of (?:the )?(\d+) attempts/.exec(page) ?? []
  expect(Number(number)).toBe(attempts.length)
})

it.each(['page-text', 'security-model'])('names the number of hidden texts in %s', (name) => {
  const page = readFileSync(`stories/docs/${name}.mdx`, 'utf8')
  const [, number] = /(\d+) hidden texts/.exec(page) ?? []
  expect(Number(number)).toBe(hiddenTexts.length)
})
