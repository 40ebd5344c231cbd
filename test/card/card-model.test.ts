import { expect, it } from 'vitest'
import { layoutOf, layoutWarning } from '../../src/card/index.js'
import { STATES_WITHOUT_CONTENT } from '../../src/card/card-model.js'
import { STATES_WITHOUT_CONTENT as capturedWithoutContent } from '../../src/server/browser/capture-page.js'

it('leaves out the texts of pages in the states in which the service captures none of their content', () => {
  expect(STATES_WITHOUT_CONTENT).toEqual(capturedWithoutContent)
})

it.each([
  [undefined, 'card', undefined],
  ['row', 'row', undefined],
  ['wide', 'card', 'Unknown layout "wide"'],
  ['toString', 'card', 'Unknown layout "toString"'],
])('takes the layout %s for %s', (layout, expected, warning) => {
  expect(layoutOf(layout)).toBe(expected)
  expect(layoutWarning(layout)?.slice(0, warning?.length)).toBe(warning)
})
