import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../../src/static/freeze/markup/parse-page.js'
import { freeze } from './freeze-test.js'

const URL = 'https://shoreline.example/'
const PREVIEW = `<page-preview url="${URL}"></page-preview>`
/** The time that a function takes, in milliseconds. */
async function measure(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

describe('a page that cannot be parsed within limits', () => {
  it.each([
    ['that is too deep', '<div>'.repeat(100_000), /nested more than/],
    ['that is too long', ' '.repeat(10_000_001), /characters/],
  ])('%s is left as it is and reported, in time', async (_, filler, reason) => {
    const page = `${PREVIEW}${filler}`
    const reference = await measure(() => parse(`<p class="a">${PREVIEW}</p>`.repeat(20_000)))
    let frozen: Awaited<ReturnType<typeof freeze<string>>> | undefined
    const elapsed = await measure(async () => (frozen = await freeze(page)))
    const skipped = [{ line: 1, column: 1, reason: expect.stringMatching(reason) as string }]
    expect(frozen).toMatchObject({ html: page, previews: 0, skipped })
    expect(elapsed).toBeLessThan(20 * reference + 2_000)
  })

  it('ends where unclosed elements multiply', () => {
    const unclosed = Array.from({ length: 100 }, (_, index) => `<b class=${index}>`).join('')
    const page = `<p>${unclosed}</p>${'<p>x</p>'.repeat(600)}`
    expect(() => parsePage(page, { maxElements: 50_000 })).toThrow('more than 50000 elements')
    expect(() => parsePage(page, { maxMs: 0 })).toThrow('takes longer than')
    expect(() => parsePage(page)).not.toThrow()
  })
})
