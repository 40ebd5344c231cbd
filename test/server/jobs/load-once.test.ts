import { expect, it } from 'vitest'
import { loadOnce } from '../../../src/server/jobs/index.js'

it('loads a value once, also for callers at the same time', async () => {
  let count = 0
  const load = loadOnce(async () => ++count)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

it('tries again after a failure, which only the callers of that time receive', async () => {
  const outcomes = [Promise.reject(new Error('unreadable')), Promise.resolve('value')]
  outcomes[0]!.catch(() => undefined)
  const load = loadOnce(() => outcomes.shift()!)
  const failed = await Promise.allSettled([load(), load()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe('value')
  expect(await load()).toBe('value')
})
