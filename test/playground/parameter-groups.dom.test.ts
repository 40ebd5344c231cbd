import { expect, it } from 'vitest'
import { MAIN_PARAMETERS, PARAMETER_GROUPS } from '../../src/playground/parameter-groups.js'
import { fields } from '../../src/query/index.js'

it('has exactly one control for every parameter of the query language', () => {
  const names = [...MAIN_PARAMETERS, ...PARAMETER_GROUPS.flatMap(({ parameters }) => parameters)]
  expect(names.toSorted()).toEqual(Object.keys(fields).toSorted())
})
