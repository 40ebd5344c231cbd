import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { shortNames } from '../../src/tools/short-names.js'

it('stops where one of the names is in no part, for then it is another library', () => {
  expect(() => shortNames(['query.addObserver(one)', ''])).toThrow(/cancelRefetch.*updateResult/s)
})

it('leaves none of the names in any part of the script, and the names of what is kept', () => {
  const parts = readdirSync('dist').filter((file) => /^page-preview\.[\da-f]{8}\.js$/.test(file))
  const script = parts.map((file) => readFileSync(`dist/${file}`, 'utf8')).join()
  expect(script).not.toMatch(/\b(addObserver|getQueryData|defaultOptions|getDerivedStateFromProps)\b/)
  for (const kept of ['dataUpdatedAt', 'queryHash', 'isInvalidated']) expect(script).toContain(kept)
})
