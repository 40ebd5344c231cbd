import { expect, it } from 'vitest'
import { createFairQueue, type FairQueueOptions } from '../../../src/server/budget/index.js'

const never = new AbortController().signal
const fullError = () => new Error('full')

/** A queue whose tasks run until the test ends them. */
function startQueue(options: Omit<FairQueueOptions, 'fullError'>) {
  const queue = createFairQueue({ ...options, fullError })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, signal = never) => {
    const task = () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    return queue.run(name[0]!, task, signal)
  }
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise(setImmediate)
  }
  return { queue, started, run, end }
}

it('starts tasks at once while there is room, also those of one client', () => {
  const { queue, started, run } = startQueue({ concurrency: 2, maxWaiting: 9 })
  void run('a1')
  void run('a2')
  void run('a3')
  expect(started).toEqual(['a1', 'a2'])
  expect([queue.running(), queue.waiting()]).toEqual([2, 1])
})

it('starts waiting tasks in turn by client', async () => {
  const { started, run, end } = startQueue({ concurrency: 1, maxWaiting: 9 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name)
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

it('prefers the client with the fewest running tasks', async () => {
  const { started, run, end } = startQueue({ concurrency: 2, maxWaiting: 9 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void run(name)
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'b1'])
  await end('a2')
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
})

it('reserves room for others where one client may not have all of it', async () => {
  const { queue, started, run, end } = startQueue({ concurrency: 3, maxPerClient: 2, maxWaiting: 9 })
  for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name)
  expect(started).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(started).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(queue.waiting()).toBe(0)
})

it('rejects a task beyond those that may wait, in all and of one client', async () => {
  const { run } = startQueue({ concurrency: 1, maxWaiting: 3, maxWaitingPerClient: 2 })
  for (const name of ['a1', 'a2', 'a3']) void run(name)
  await expect(run('a4')).rejects.toThrow('full')
  void run('b1')
  await expect(run('c1')).rejects.toThrow('full')
})

it('rejects a task that waits as soon as it is aborted, and never starts it', async () => {
  const { queue, started, run, end } = startQueue({ concurrency: 1, maxWaiting: 9 })
  const abort = new AbortController()
  void run('a1')
  const waiting = run('b1', abort.signal)
  abort.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(queue.waiting()).toBe(0)
  await end('a1')
  expect(started).toEqual(['a1'])
  await expect(run('b2', abort.signal)).rejects.toThrow('left')
})

it('goes on after a task that failed', async () => {
  const queue = createFairQueue({ concurrency: 1, maxWaiting: 9, fullError })
  const failing = queue.run('a', () => Promise.reject(new Error('failed')), never)
  const next = queue.run('a', async () => 'done', never)
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(queue.running()).toBe(0)
})
