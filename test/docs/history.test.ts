// Covers the response and the limits in stories/docs/history.mdx: they are those of a service that sees this page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fields, type PageHistory, type PageResponse } from '../../src/query/index.js'
import type { PageBlock } from '../../src/server/browser/index.js'
import { startApp } from '../server/results/start-app.js'

const page = readFileSync(join(import.meta.dirname, '../../stories/docs/history.mdx'), 'utf8')
const documented = (JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!) as PageResponse).data.history!
const limitOf = (what: string) => Number(new RegExp(`^\\| ${what}[^|]*\\| (\\d+)`, 'm').exec(page)![1])

const block = (element: string, text: string, box: Partial<PageBlock> = {}): PageBlock => ({
  element,
  text,
  x: 48,
  y: 95,
  width: 844,
  height: 63,
  ...box,
})

/** Captures a page as often as `shown` has its blocks, an hour apart; a twin sees the same as its capture, except for the noise. */
async function capture(shown: readonly PageBlock[][]): Promise<PageHistory> {
  const app = await startApp({ freeHistory: true, routes: { '/': '<!doctype html><title>Tides of Skerry</title>' } })
  app.seen.area = { x: 0, y: 0, width: 1280, height: 800 }
  let visits = 0
  let history: PageHistory | undefined
  for (const blocks of shown) {
    app.seen.blocks = () => {
      visits++
      const clock = block('#clock', `9:24:${visits}`, { y: 18 })
      return [clock, ...blocks, block('div.ad > p', `Offer number ${visits}`, { y: 420 })]
    }
    app.time.now += 3_600_000
    const { data } = await app.readPage({ history: String(fields.history.max), force: 'true' })
    history = data.history!
  }
  return history!
}

it('has the changes and the noise of the page that it is about', async () => {
  const [changed, removed, added] = documented.versions[0]!.changes
  const { versions, ignored } = await capture([
    [block('#headline', 'High water at noon'), block('p.offer', removed!.textBefore!, { y: 248, height: 51 })],
    [
      block('#headline', changed!.text!, { height: 126 }),
      block('p.notice', added!.text!, { x: 932, y: 281, width: 300, height: 54 }),
    ],
  ])
  expect(versions.map(({ changes }) => changes)).toEqual(documented.versions.map(({ changes }) => changes))
  expect(ignored).toEqual(documented.ignored)
  expect(Object.keys(versions[0]!).toSorted()).toEqual(Object.keys(documented.versions[0]!).toSorted())
})

it('states the limits, which apply', { timeout: 60_000 }, async () => {
  const [versions, changes, chars] = ['versions', 'changes', 'characters'].map(limitOf)
  expect(versions).toBe(fields.history.max)
  const texts = (round: number) =>
    Array.from({ length: 60 }, (_, index) =>
      block(`#p${index}`, `${round} ${'a'.repeat(150)}`, { y: 100 + 10 * index, height: 8 }),
    )
  const history = await capture(Array.from({ length: versions! + 2 }, (_, round) => texts(round)))
  expect(history.versions).toHaveLength(versions!)
  expect(history.versions[0]!.changes).toHaveLength(changes!)
  expect(history.versions[0]!.changes[0]!.text).toHaveLength(chars!)
})
