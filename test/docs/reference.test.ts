// Covers stories/docs/reference.mdx: it is what the types, their comments and the stylesheet say. `--update` writes it again.
import { expect, it } from 'vitest'
import { customProperties, documentedClasses, styledClasses } from './stylesheet.js'
import { writeReference } from './write-reference.js'

it('is written from the sources', { timeout: 120_000 }, async () => {
  await expect(await writeReference()).toMatchFileSnapshot('../../stories/docs/reference.mdx')
})

it('says what each custom property is', () => {
  expect(customProperties().filter(({ meaning }) => !meaning)).toEqual([])
})

it('says what each class is', () => {
  expect([...documentedClasses().keys()].toSorted()).toEqual(styledClasses().toSorted())
})
