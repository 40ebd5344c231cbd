// Covers the ids in stories/docs/choosing-and-explaining.mdx: each is the one that a service gives to its candidate.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { candidateId } from '../../src/server/explainer.js'

const page = readFileSync(join(import.meta.dirname, '../../stories/docs/choosing-and-explaining.mdx'), 'utf8')

it('names the candidates by their ids', () => {
  const listed = [...page.matchAll(/"id": "([\da-f]{8})",\s+"value": "([^"]+)"/g)].map(([, id, value]) => [id, value])
  expect(listed.length).toBe(6)
  for (const [id, value] of listed) expect(candidateId(value!)).toBe(id)
  const ids = new Set(listed.map(([id]) => id))
  const used = [...page.matchAll(/(?:pick(?:: '|="|=)|^ {2}[ *x] )([\da-f]{8})/gm)].map(([, id]) => id)
  expect(used.length).toBeGreaterThanOrEqual(11)
  expect(used.filter((id) => !ids.has(id))).toEqual([])
})
