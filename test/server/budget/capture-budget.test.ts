import { expect, it } from 'vitest'
import { captureLimits, createCaptureBudget, type CaptureBudget } from '../../../src/server/budget/index.js'

const limits = { ...captureLimits, requests: 3, bytes: 100, connections: 3, connectionsPerHost: 2 }

it('counts the requests that proxy and page see apart, and is exhausted by the first beyond the limit', () => {
  const budget = createCaptureBudget(limits)
  const seen = ['proxy', 'page', 'proxy', 'page', 'proxy', 'page'] as const
  expect(seen.map((observer) => budget.countRequest(observer))).toEqual(seen.map(() => true))
  expect(budget.exhausted.aborted).toBe(false)
  expect(budget.countRequest('page')).toBe(false)
  expect(budget.exhausted.aborted).toBe(true)
  expect(budget.countRequest('proxy')).toBe(false)
})

it('is exhausted by the first byte beyond the limit', () => {
  const budget = createCaptureBudget(limits)
  budget.countBytes(100)
  expect(budget.exhausted.aborted).toBe(false)
  budget.countBytes(1)
  expect(budget.exhausted.aborted).toBe(true)
})

it('limits the open connections to one host and in all, until others end', () => {
  const budget = createCaptureBudget(limits)
  const end = budget.openConnection('a.test')!
  budget.openConnection('a.test')
  expect(budget.openConnection('a.test')).toBeUndefined()
  expect(budget.openConnection('b.test')).toBeDefined()
  expect(budget.openConnection('c.test')).toBeUndefined()
  end()
  expect(budget.openConnection('a.test')).toBeDefined()
})

it('ends a page that starts too many frames and workers, or does too much, with the reason', () => {
  const limits = { targets: 2, events: 2 }
  for (const [count, reason] of [
    [(budget: CaptureBudget) => budget.countTarget('browser'), 'frames and workers'],
    [(budget: CaptureBudget) => budget.countTarget('session'), 'frames and workers'],
    [(budget: CaptureBudget) => budget.countEvent(), 'events'],
  ] as const) {
    const budget = createCaptureBudget(limits)
    count(budget)
    count(budget)
    expect(budget.exceeded.aborted).toBe(false)
    count(budget)
    expect(budget.exceeded.reason).toMatchObject({
      code: 'ETOOLARGE',
      message: expect.stringContaining(reason) as string,
    })
    // Its requests are within their own limits.
    expect(budget.exhausted.aborted).toBe(false)
  }
})
