import { expect, it } from 'vitest'
import { STATES_WITHOUT_CONTENT } from '../../src/card/card-model.js'
import { STATES_WITHOUT_CONTENT as capturedWithoutContent } from '../../src/server/browser/capture-page.js'

it('leaves out the texts of pages in the states in which the service captures none of their content', () => {
  expect(STATES_WITHOUT_CONTENT).toEqual(capturedWithoutContent)
})
