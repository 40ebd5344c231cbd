import { setMaxListeners } from 'node:events'
import { expect, it } from 'vitest'
import {
  BACKGROUND,
  createFairQueue,
  type FairQueueOptions,
  type Slot,
  type TaskOptions,
  type Waiter,
  type Waiters,
} from '../../../src/server/budget/index.js'

const never = new AbortController().signal
// Every task that waits listens to it.
setMaxListeners(0, never)
const fullError = () => new Error('full')

/** A queue whose tasks run until the test ends them. */
function startQueue(queueOptions: Omit<FairQueueOptions, 'fullError'>) {
  const queue = createFairQueue({ ...queueOptions, fullError })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const slots = new Map<string, Slot>()
  const run = (name: string, signal = never, options: Partial<TaskOptions> = {}) => {
    const task = (slot: Slot) => {
      started.push(name)
      slots.set(name, slot)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    return queue.run({ client: name[0]!, ...options }, task, signal)
  }
  const end = async (name: string) => {
    ends.get(name)!()
    slots.delete(name)
    await new Promise(setImmediate)
  }
  /** Which of the running tasks hold up others. */
  const contended = () => [...slots].flatMap(([name, slot]) => (slot.isContended() ? name : []))
  return { queue, started, run, end, contended }
}

it('starts tasks at once while there is room, also of one client', () => {
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

it('gives a client with nothing running a slot of the reserve at once, and no client two', async () => {
  const { queue, started, run, end } = startQueue({ concurrency: 2, reserve: 2, maxWaiting: 9 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1']) void run(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1'])
  // d1 comes before a3 and b2, which have waited for longer.
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
  for (const name of ['d1', 'c1']) await end(name)
  expect([queue.running(), queue.waiting()]).toEqual([2, 2])
  await end('b1')
  expect(started.slice(5)).toEqual(['b2'])
  await end('a2')
  expect(started.slice(6)).toEqual(['a3'])
})

it('never uses the reserve for work in the background', async () => {
  const { started, run, end } = startQueue({ concurrency: 1, reserve: 1, maxWaiting: 9 })
  void run('a1')
  void run('background', never, { client: BACKGROUND })
  void run('b1')
  expect(started).toEqual(['a1', 'b1'])
  for (const name of ['b1', 'a1']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'background'])
})

const subnet = (index: number, network = '2001:db8:1:') => ({ client: `${network}${index.toString(16)}::/64` })

it('starts work in the background only while no task of a caller may start', async () => {
  const { started, run, end } = startQueue({ concurrency: 1, maxPerHost: 1, maxWaiting: 9 })
  void run('a1', never, { host: 'slow' })
  void run('background', never, { client: BACKGROUND })
  for (const name of ['a2', 'a3']) void run(name, never, { host: 'slow' })
  void run('b1')
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'background'])
})

it('does not take the subnets of one network for as many clients with nothing running', async () => {
  const { started, run, end } = startQueue({ concurrency: 2, reserve: 4, maxWaiting: 600 })
  for (let index = 0; index < 256; index++) void run(`narrow${index}`, never, subnet(index))
  expect(started).toEqual(['narrow0', 'narrow1'])
  for (let index = 0; index < 256; index++) void run(`wide${index}`, never, subnet(index * 256))
  expect(started).toHaveLength(2)
  void run('other', never, subnet(1, '2001:db8:2:'))
  void run('a1')
  expect(started.slice(2)).toEqual(['other', 'a1'])
  // A second task of a client does not wait for all subnets.
  void run('a2')
  for (const name of ['other', 'a1', 'narrow0']) await end(name)
  await end('narrow1')
  expect(started.indexOf('a2')).toBeGreaterThan(0)
  expect(started.length).toBeLessThan(8)
})

it('counts the waiting tasks of the subnets of one network together', async () => {
  const { run } = startQueue({ concurrency: 1, maxWaiting: 9, maxWaitingPerClient: 2 })
  for (let index = 0; index < 3; index++) void run(`narrow${index}`, never, subnet(index))
  await expect(run('narrow3', never, subnet(3))).rejects.toThrow('full')
})

it('tells running tasks that a client with fewer of them waits', async () => {
  const { run, end, contended } = startQueue({ concurrency: 2, reserve: 1, maxWaiting: 9 })
  for (const name of ['a1', 'a2', 'a3']) void run(name)
  // A client does not hold up itself.
  expect(contended()).toEqual([])
  void run('b1')
  expect(contended()).toEqual([])
  void run('b2')
  expect(contended()).toEqual(['a1', 'a2'])
  void run('background', never, { client: BACKGROUND })
  expect(contended()).toEqual(['a1', 'a2'])
  void run('c1')
  expect(contended()).toEqual(['a1', 'a2', 'b1'])
  // Then b2 runs, and c1 still waits.
  await end('b1')
  expect(contended()).toEqual(['a1', 'a2', 'b2'])
})

it('does not tell a task with priority that tasks without it wait', () => {
  const { run, contended } = startQueue({ concurrency: 1, maxWaiting: 9 })
  void run('p1', never, { hasPriority: true })
  void run('f1')
  expect(contended()).toEqual([])
  void run('q1', never, { hasPriority: true })
  expect(contended()).toEqual(['p1'])
})

it('does not tell a task without priority that others wait, once a caller with priority has joined it', () => {
  const { run, contended } = startQueue({ concurrency: 1, maxWaiting: 9 })
  const joined: Waiter[] = [{ client: 'f' }]
  const waiters: Waiters = {
    follow(listener) {
      for (const waiter of joined) listener.onJoin(waiter)
      return () => undefined
    },
  }
  void run('f1', never, { waiters })
  void run('g1')
  expect(contended()).toEqual(['f1'])
  joined.push({ client: 'p', hasPriority: true })
  expect(contended()).toEqual([])
  void run('q1', never, { hasPriority: true })
  expect(contended()).toEqual(['f1'])
})

it('rejects a task if too many wait, in all or of one client', async () => {
  const { run } = startQueue({ concurrency: 1, maxWaiting: 3, maxWaitingPerClient: 2 })
  for (const name of ['a1', 'a2', 'a3']) void run(name)
  await expect(run('a4')).rejects.toThrow('full')
  void run('b1')
  await expect(run('c1')).rejects.toThrow('full')
})

it('counts a task that many wait for once, and lets others wait beside it', async () => {
  const { queue, started, run, end } = startQueue({ concurrency: 1, maxWaiting: 2 })
  void run('a1')
  const readers = Array.from({ length: 50 }, (_, at) => ({ client: `reader ${at}` }))
  const waiters: Waiters = {
    follow(listener) {
      for (const reader of readers) listener.onJoin(reader)
      return () => undefined
    },
  }
  void run('popular', never, { client: 'reader', waiters })
  let expectedWait: number | undefined
  void run('b1', never, { mayWait: (waitInTasks) => (expectedWait = waitInTasks) < 9 })
  expect(expectedWait).toBe(2)
  await expect(run('c1')).rejects.toThrow('full')
  await end('a1')
  await end('popular')
  expect([started, queue.waiting()]).toEqual([['a1', 'popular', 'b1'], 0])
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
  const failing = queue.run({ client: 'a' }, () => Promise.reject(new Error('failed')), never)
  const next = queue.run({ client: 'a' }, async () => 'done', never)
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(queue.running()).toBe(0)
})

it('gives all slots to one host while no other waits, and starts tasks of other hosts first', async () => {
  const { started, run, end } = startQueue({ concurrency: 2, reserve: 1, maxPerHost: 1, maxWaiting: 9 })
  for (const name of ['a1', 'b1', 'c1', 'd1']) void run(name, never, { host: 'slow' })
  expect(started).toEqual(['a1', 'b1', 'c1'])
  void run('e1', never, { host: 'other' })
  void run('f1', never, { host: 'third' })
  for (const name of ['b1', 'a1']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'c1', 'e1', 'f1'])
  await end('e1')
  expect(started).toEqual(['a1', 'b1', 'c1', 'e1', 'f1', 'd1'])
})

it('starts tasks with priority first, and every fourth time one without', async () => {
  const { started, run, end } = startQueue({ concurrency: 1, maxWaiting: 20 })
  void run('x1')
  for (const name of ['f1', 'f2']) void run(name)
  for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) void run(name, never, { hasPriority: true })
  for (const name of ['x1', 'p1', 'p2', 'p3', 'f1', 'p4', 'p5']) await end(name)
  expect(started).toEqual(['x1', 'p1', 'p2', 'p3', 'f1', 'p4', 'p5', 'f2'])
})

it('asks a task whether it may wait for others of its client, and for a turn of each other client', async () => {
  const { run } = startQueue({ concurrency: 2, maxWaiting: 20 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) void run(name)
  const asked: number[] = []
  const mayWait = (waitInTasks: number) => asked.push(waitInTasks) > 0
  void run('c1', never, { mayWait })
  void run('a6', never, { mayWait })
  // c1 waits for one of a and one of b, a6 for three of its own and all of the others.
  expect(asked).toEqual([1.5, 3])
})

it('refuses a task that may not wait so long, at once or when a task has ended', async () => {
  const { queue, started, run, end } = startQueue({ concurrency: 1, maxWaiting: 9 })
  void run('a1')
  await expect(run('b1', never, { mayWait: () => false })).rejects.toThrow('full')
  void run('c1')
  let mayWait = true
  const refused = run('b2', never, { mayWait: () => mayWait })
  mayWait = false
  const rejection = expect(refused).rejects.toThrow('full')
  await end('a1')
  await rejection
  expect([started, queue.waiting()]).toEqual([['a1', 'c1'], 0])
})
