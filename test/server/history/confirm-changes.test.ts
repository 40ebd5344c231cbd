import { describe, expect, it } from 'vitest'
import { compareCaptures } from '../../../src/server/history/compare-captures.js'
import { confirmChanges, findNoise, IncomparableError } from '../../../src/server/history/confirm-changes.js'
import { isNoise, noiseSelectors } from '../../../src/server/history/page-noise.js'
import { compareLooks, madeCapture } from './made-captures.js'

const page = (headline: string, advert: string, clock: string) =>
  madeCapture([
    { element: 'h1', text: headline },
    { element: '#advert > img', look: advert },
    { element: '#clock', text: clock },
    { element: 'p', text: 'When the water comes.' },
  ])

/** What is found when the page goes from one capture to another, and its twins follow. */
async function confirm(
  before: ReturnType<typeof page>,
  now: ReturnType<typeof page>,
  twins: ReturnType<typeof page>[],
) {
  const clocks: number[] = []
  const takeTwin = async (clockAheadMs: number) => {
    const twin = twins[clocks.length]
    if (!twin) throw new IncomparableError('took too long')
    clocks.push(clockAheadMs)
    return twin
  }
  const { differences } = await compareCaptures(before, now, compareLooks(before, now))
  const { changes, noise } = await confirmChanges(differences, now, takeTwin, compareLooks)
  return { changes: changes.map((each) => (each.now ?? each.before).element), noise, twins: clocks.length, clocks }
}

describe('differences between a capture and the one before', () => {
  it('are noise if they differ in a twin too, and then no other twin is taken', async () => {
    const found = await confirm(page('Tides', 'a', '10:00'), page('Tides', 'b', '11:00'), [page('Tides', 'c', '12:11')])
    expect(found).toMatchObject({ changes: [], twins: 1 })
    expect(found.noise).toEqual(['#advert > img', '#advert', '#clock'])
  })

  it('are noise if a later twin shows it', async () => {
    const now = page('Tides', 'b', '11:00')
    expect(
      await confirm(page('Tides', 'a', '10:00'), now, [now, page('Tides', 'b', '12:00'), page('Tides', 'a', '13:00')]),
    ).toMatchObject({
      changes: [],
      twins: 3,
    })
  })

  it('are a change if every twin is the same', async () => {
    const now = page('Floods', 'b', '11:00')
    const twins = [page('Floods', 'c', '12:11'), now, now, now]
    expect(await confirm(page('Tides', 'a', '10:00'), now, twins)).toMatchObject({
      changes: ['h1'],
      noise: ['#advert > img', '#advert', '#clock'],
      twins: 4,
    })
  })

  it('are a change if there is time for two twins only', async () => {
    const now = page('Floods', 'a', '10:00')
    expect(await confirm(page('Tides', 'a', '10:00'), now, [now, now])).toMatchObject({ changes: ['h1'], twins: 2 })
  })

  it('cannot be judged with fewer twins', async () => {
    const now = page('Floods', 'a', '10:00')
    await expect(confirm(page('Tides', 'a', '10:00'), now, [now])).rejects.toThrow('took too long')
  })

  it('are looked at with clocks that show other hours, minutes and seconds, and later other days', async () => {
    const now = page('Floods', 'a', '10:00')
    const { clocks } = await confirm(page('Tides', 'a', '10:00'), now, [now, now, now, now])
    const start = Date.UTC(2026, 0, 31, 12, 34, 56)
    for (const ahead of clocks) {
      const [one, other] = [start, start + ahead].map((time) => new Date(time).toISOString().slice(11, 19).split(':'))
      expect(one!.map((part, index) => part === other![index])).toEqual([false, false, false])
    }
    expect(Math.max(...clocks)).toBeGreaterThan(48 * 3_600_000)
  })
})

describe('noise', () => {
  it('is the largest element in which nothing stays the same, so that other content of it is noise too', () => {
    const blockOf = (element: string) => madeCapture([{ element }]).blocks[0]!
    const stable = [blockOf('body > main > h1'), blockOf('#page > p')]
    const found = noiseSelectors(
      [{ before: blockOf('#page > div.advert > img') }, { now: blockOf('#page > div.advert > div > p') }],
      stable,
    )
    expect(found).toContain('#page > div.advert')
    expect(found).not.toContain('#page')
    const isNoiseNow = (element: string) => isNoise({ now: blockOf(element) }, new Set(found))
    expect(isNoiseNow('#page > div.advert > a > video')).toBe(true)
    expect(isNoiseNow('#page > div.adverts > video')).toBe(false)
    expect(stable.map(({ element }) => isNoiseNow(element))).toEqual([false, false])
  })

  it.each(['body > p', 'body > main > p', 'body > main.content > p', 'main > p', 'html > p'])(
    'is not the whole page, if nothing of it stays the same: %s',
    (element) => {
      const [before] = madeCapture([{ element }]).blocks
      expect(noiseSelectors([{ before: before! }], [])).toEqual([element])
    },
  )

  it('is all of a clock, even if only its seconds differ', () => {
    const part = (element: string) => madeCapture([{ element, group: '#clock' }]).blocks[0]!
    const selectors = new Set(noiseSelectors([{ before: part('#clock b'), now: part('#clock b') }], [part('#clock i')]))
    expect(isNoise({ before: part('#clock i'), now: part('#clock i') }, selectors)).toBe(true)
  })

  it('is a frame of another site', () => {
    const frame = madeCapture([{ element: 'iframe', isForeign: true }]).blocks[0]!
    expect(isNoise({ before: frame, now: frame }, new Set())).toBe(true)
  })

  it('is not everything: a twin that shows another page cannot be compared', async () => {
    const list = (word: string) =>
      madeCapture(Array.from({ length: 12 }, (_, index) => ({ element: `p${index}`, text: `${word} ${index}` })))
    await expect(findNoise(list('a'), list('b'), compareLooks)).rejects.toThrow(IncomparableError)
  })
})
