import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startDeadline } from '../../../src/server/browser/deadline.js'
import { requestScope } from '../request-scope.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  return () => void vi.useRealTimers()
})

/** The deadline of a visit that has navigated, in a slot that another client wants. */
function startVisit({ isContended }: { isContended: () => boolean }) {
  const deadline = startDeadline(requestScope({ url: 'https://example.com/' }), new AbortController().signal)
  onTestFinished(() => deadline.stop())
  deadline.occupy({ isContended })
  deadline.enterStage('navigate')
  deadline.enterStage('wait')
  return deadline
}

it('takes a page for complete whose waits were over when another client came', () => {
  const deadline = startVisit({ isContended: () => true })
  vi.advanceTimersByTime(9_000)
  expect([deadline.isCutShort(), deadline.hasShortenedWaits(), deadline.hasYielded()]).toEqual([false, false, true])
})

it('does not yield because it is asked', () => {
  let isContended = false
  const deadline = startVisit({ isContended: () => isContended })
  vi.advanceTimersByTime(9_000)
  isContended = true
  expect(deadline.hasYielded()).toBe(false)
  vi.advanceTimersByTime(100)
  expect(deadline.hasYielded()).toBe(true)
})

it('takes a page for incomplete whose wait another client has shortened', () => {
  const deadline = startVisit({ isContended: () => true })
  expect(deadline.limitWait()).toBeGreaterThan(20_000)
  vi.advanceTimersByTime(9_000)
  expect(deadline.limitWait()).toBe(0)
  expect([deadline.isCutShort(), deadline.hasShortenedWaits()]).toEqual([true, true])
})

it('takes a page for incomplete, but the result for final, whose own time for waits is used up', () => {
  const deadline = startVisit({ isContended: () => false })
  vi.advanceTimersByTime(26_000)
  expect(deadline.limitWait()).toBe(0)
  expect([deadline.isCutShort(), deadline.hasShortenedWaits()]).toEqual([true, false])
})
