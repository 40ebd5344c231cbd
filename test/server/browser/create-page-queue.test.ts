import { expect, it } from 'vitest'
import { createPageQueue } from '../../../src/server/browser/create-page-queue.js'

const never = new AbortController().signal
const waiter = { client: 'a', host: 'a.test', remainingMs: () => Infinity }
/** Each of another host, because half of the pages may be of one. */
const waiterAt = (index: number) => ({ ...waiter, host: `${index}.test` })

/** Work that runs until the test finishes it. */
function controlledWork() {
  let finish!: () => void
  const finished = new Promise<void>((resolve) => (finish = resolve))
  return { run: () => finished, finish }
}

it('starts work in the order of the calls, one for each that finishes', async () => {
  const queue = createPageQueue({ concurrency: 2, maxWaiting: 9 })
  const started: number[] = []
  const works = [1, 2, 3, 4].map(() => controlledWork())
  const results = works.map((work, index) =>
    queue.run(
      waiterAt(index),
      async () => {
        started.push(index + 1)
        await work.run()
      },
      never,
    ),
  )
  await expect.poll(() => started).toEqual([1, 2])
  expect(queue.length()).toBe(2)
  works[1]!.finish()
  await expect.poll(() => started).toEqual([1, 2, 3])
  expect(queue.length()).toBe(1)
  for (const work of works) work.finish()
  await Promise.all(results)
  expect(started).toEqual([1, 2, 3, 4])
  expect(queue.length()).toBe(0)
})

it('continues after work that failed', async () => {
  const queue = createPageQueue({ concurrency: 1, maxWaiting: 1 })
  const failing = queue.run(waiter, () => Promise.reject(new Error('crashed')), never)
  const next = queue.run(waiter, async () => 'done', never)
  await expect(failing).rejects.toThrow('crashed')
  expect(await next).toBe('done')
})

it('rejects a caller at once when the queue is full, with the time to wait', async () => {
  const queue = createPageQueue({ concurrency: 1, maxWaiting: 0 })
  const work = controlledWork()
  const running = queue.run(waiter, work.run, never)
  await expect(queue.run(waiter, async () => 0, never)).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 1_000 })
  work.finish()
  await running
  expect(await queue.run(waiter, async () => 'done', never)).toBe('done')
})

it('removes an aborted caller from the queue at once, without starting its work', async () => {
  const queue = createPageQueue({ concurrency: 1, maxWaiting: 1 })
  const work = controlledWork()
  const running = queue.run(waiter, work.run, never)
  const abort = new AbortController()
  let hasStarted = false
  const aborted = queue.run(waiter, async () => (hasStarted = true), abort.signal)
  await expect(queue.run(waiter, async () => 0, never)).rejects.toMatchObject({ code: 'EBUSY' })
  abort.abort(new Error('cancelled'))
  await expect(aborted).rejects.toThrow('cancelled')
  expect(queue.length()).toBe(0)
  const next = queue.run(waiter, async () => 'done', never)
  work.finish()
  await running
  expect(await next).toBe('done')
  expect(hasStarted).toBe(false)
})

it('starts a page of another host before those of a host that has half of the slots', async () => {
  const queue = createPageQueue({ concurrency: 2, maxWaiting: 9 })
  const work = Array.from({ length: 4 }, () => controlledWork())
  const pages = work.map(({ run }, n) => queue.run({ ...waiter, client: `a${n}` }, run, never))
  const other = queue.run({ ...waiter, client: 'b', host: 'b.test' }, async () => 'done', never)
  expect([queue.running(), queue.length()]).toEqual([3, 2])
  work[0]!.finish()
  expect(await other).toBe('done')
  for (const { finish } of work) finish()
  await Promise.all(pages)
})

it('rejects a caller as soon as its time would be up before its waiter, with the time to wait', async () => {
  const queue = createPageQueue({ concurrency: 1, maxWaiting: 9 })
  const work = controlledWork()
  const running = queue.run(waiter, work.run, never)
  const patient = queue.run(waiter, async () => 'done', never)
  const hurried = queue.run({ ...waiter, remainingMs: () => 1_500 }, async () => 0, never)
  // A second is expected for each page before it.
  await expect(hurried).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 2_000 })
  work.finish()
  await running
  expect(await patient).toBe('done')
})
