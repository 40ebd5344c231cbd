import { expect, it } from 'vitest'
import { freeze } from './freeze-test.js'

const PREVIEW = '<page-preview url="https://shoreline.example/"></page-preview>'

/** The time that a function takes, in milliseconds. */
async function measure(run: () => unknown): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const ROW = `<tr><td class="a">One</td><td><a href="/b?c&amp;d">Two &copy;</a></td></tr>\n`
const pageOf = (megabytes: number) =>
  Buffer.from(
    `<!doctype html><html><head></head><body>${PREVIEW}<table>${ROW.repeat((megabytes * 1_000_000) / ROW.length)}</table>${PREVIEW}</body></html>`,
  )

it('freezes a page of 5 MB in the time of as many small ones', { timeout: 120_000 }, async () => {
  const [small, large] = [pageOf(0.5), pageOf(5)]
  const options = { auto: 'main p > a:only-child' }
  const reference = await measure(() => freeze(small, options))
  let previews = 0
  const elapsed = await measure(async () => ({ previews } = await freeze(large, options)))
  expect(previews).toBe(2)
  expect(elapsed).toBeLessThan(4 * 10 * reference + 2_000)
})
