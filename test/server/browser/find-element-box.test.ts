import { expect, it } from 'vitest'
import { findElementBox } from '../../../src/server/browser/find-element-box.js'
import type { OpenPage } from '../../../src/server/browser/open-page.js'

const BOX = { state: 'visible', x: 1, y: 2, width: 30, height: 40 }
const limits = { remainingWaitMs: () => 5_000, signal: new AbortController().signal }

/** A page whose scripts end as given, one after another. */
function pageWith(...ends: (Error | object)[]): OpenPage {
  const send = async (method: string) => {
    if (method === 'Page.createIsolatedWorld') return { executionContextId: 1 }
    const end = ends.shift()
    if (end instanceof Error) throw end
    return { result: { value: end } }
  }
  return { session: { send }, frameId: 'main' } as unknown as OpenPage
}

it.each([
  'Protocol error (Runtime.evaluate): Cannot find context with specified id',
  'Protocol error (Runtime.evaluate): Execution context was destroyed.',
  'Protocol error (Runtime.evaluate): Inspected target navigated or closed',
])('looks for the element in the next document after: %s', async (message) => {
  expect(await findElementBox(pageWith(new Error(message), BOX), '#story', limits)).toMatchObject(BOX)
})

it('fails as the browser does for any other reason', async () => {
  const page = pageWith(new Error('Target closed'), BOX)
  await expect(findElementBox(page, '#story', limits)).rejects.toThrow('Target closed')
})
