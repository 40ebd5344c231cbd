import { describe, expect, it } from 'vitest'
import type { LinkReport } from '../../../src/static/check/index.js'
import { createRoundComparison } from '../../../src/static/check/link-events.js'

const url = 'https://a.example/'
type Report = Omit<LinkReport, 'url' | 'pages'>

const ok: Report = { status: 'ok' }
const failing: Report = { status: 'failing', reason: 'HTTP 404.', since: '2026-01-01T00:00:00.000Z', checks: 1 }
const gone: Report = { ...failing, status: 'gone', checks: 2 }
const unclear: Report = { status: 'unclear', reason: 'It shows a bot check.' }
const moved = (newUrl: string): Report => ({ status: 'moved', newUrl })
const titled = (now: string): Report => ({ status: 'changed', title: { before: 'Frozen', now } })
const drawn: Report = { status: 'changed', imageDifference: 0.4 }
const change = {
  kind: 'changed' as const,
  element: 'h1',
  text: 'New',
  textBefore: 'Old',
  x: 0,
  y: 0,
  width: 10,
  height: 10,
}
const version = (day: number, changes = [change], more: Report = ok): Report => ({
  ...more,
  version: { since: `2026-01-0${day}T00:00:00.000Z`, changes },
})

/** The kinds of events after each round but the first. */
function kindsAfter(...rounds: (Report | undefined)[]) {
  const comparison = createRoundComparison()
  const events = rounds.map((report) => comparison.next(report ? [{ url, pages: ['index.html'], ...report }] : []))
  expect(events[0]).toEqual([])
  return events.slice(1).map((ofRound) => ofRound.map(({ kind }) => kind))
}

describe('what is new of a link', () => {
  it.each<[string, Report[], string[][]]>([
    ['that works', [ok, ok, ok], [[], []]],
    ['that fails from the first round', [failing, failing], [[]]],
    ['that begins to fail, stays so, and is gone', [ok, failing, failing, gone, gone], [['failing'], [], ['gone'], []]],
    ['that works again after it failed', [ok, failing, ok, ok], [['failing'], ['works'], []]],
    ['that works again after it was gone', [gone, ok], [['works']]],
    ['that refuses to be checked meanwhile', [ok, unclear, ok], [[], []]],
    ['that fails, is unclear, and fails', [failing, unclear, failing, ok], [[], [], ['works']]],
    ['that was unclear in the first round', [unclear, ok, failing], [[], ['failing']]],
    ['that moves, and moves on', [ok, moved('/b'), moved('/b'), moved('/c')], [['moved'], [], ['moved']]],
    ['that had moved before', [moved('/b'), moved('/b')], [[]]],
    ['with another title', [ok, titled('A'), titled('A'), titled('B')], [['title'], [], ['title']]],
    ['with its first title again', [titled('A'), ok, titled('A')], [[], ['title']]],
    ['with another image', [ok, drawn, drawn], [['image'], []]],
    ['whose title is the same after a failure', [titled('A'), failing, titled('A')], [['failing'], ['works']]],
    ['that works again with another title', [failing, titled('A')], [['works', 'title']]],
  ])('%s', (_, rounds, expected) => {
    expect(kindsAfter(...rounds)).toEqual(expected)
  })

  it('is all of a link that the site did not have before, and nothing of one that it no longer has', () => {
    expect(kindsAfter(undefined, failing)).toEqual([['failing']])
    expect(kindsAfter(undefined, moved('/b'))).toEqual([['moved']])
    expect(kindsAfter(failing, undefined, failing)).toEqual([[], ['failing']])
  })
})

describe('a change of a page', () => {
  it.each<[string, Report[], string[][]]>([
    ['is reported once', [version(1), version(2), version(2)], [['page'], []]],
    ['is not reported of the first round', [version(3), version(3)], [[]]],
    ['is not reported of a page that is new to the service', [version(1), version(2, [])], [[]]],
    ['is not reported where only now a version is known', [ok, version(2)], [[]]],
    ['is not reported again by a service that knows less', [version(3), version(2), version(3)], [[], []]],
    [
      'is reported after rounds without a version',
      [version(1), failing, ok, version(2)],
      [['failing'], ['works'], ['page']],
    ],
    ['stands in for that of the image', [version(1), version(2, [change], drawn)], [['page']]],
    ['comes with that of the title', [version(1), version(2, [change], titled('A'))], [['title', 'page']]],
  ])('%s', (_, rounds, expected) => {
    expect(kindsAfter(...rounds)).toEqual(expected)
  })

  it('says since when, and what', () => {
    const comparison = createRoundComparison()
    const reportOf = (report: Report) => [{ url, pages: [], ...report }]
    comparison.next(reportOf(version(1)))
    expect(comparison.next(reportOf(version(2)))).toEqual([
      { kind: 'page', url, since: '2026-01-02T00:00:00.000Z', changes: [change] },
    ])
  })
})
