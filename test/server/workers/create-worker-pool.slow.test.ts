import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkerPool, type WorkerPool } from '../../../src/server/workers/index.js'

/** What the built entries do with `handleTasks`, in JavaScript, because a worker cannot load the sources. */
const ENTRY = `
import { parentPort, threadId } from 'node:worker_threads'
import { setTimeout } from 'node:timers/promises'
await setTimeout(START_MS)
parentPort.on('message', async (task) => {
  if (task === 'loop') for (;;);
  if (task === 'memory') { const all = []; for (;;) all.push(new Array(1e5).fill(1.5)) }
  if (task === 'exit') process.exit(3)
  if (task === 'throw') return parentPort.postMessage({ error: new RangeError('too deep') })
  if (task === 'env') return parentPort.postMessage({ result: Object.keys(process.env) })
  if (task instanceof Uint8Array) return parentPort.postMessage({ result: task.length })
  parentPort.postMessage({ result: threadId })
})
parentPort.postMessage('ready')`
const entry = (startMs: number) => ENTRY.replace('START_MS', String(startMs))

const options = { client: 'a', signal: new AbortController().signal }
const LIMITS = { timeoutMs: 3_000, maxHeapMb: 32 }
const SLOW_START_MS = 4_000
let dir: string
let pool: WorkerPool<unknown, unknown>

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'page-preview-workers-'))
  await writeFile(join(dir, 'entry.mjs'), entry(0))
  await writeFile(join(dir, 'slow-entry.mjs'), entry(SLOW_START_MS))
})
afterAll(() => rm(dir, { recursive: true }))
beforeEach(() => {
  pool = createWorkerPool({ file: join(dir, 'entry.mjs'), size: 1, maxWaiting: 1, ...LIMITS })
})
afterEach(() => pool.close())

describe('a pool of workers', () => {
  it('runs tasks one after the other in the same worker', async () => {
    const thread = await pool.run('thread', options)
    expect(await pool.run('thread', options)).toBe(thread)
  })

  it('moves buffers', async () => {
    const bytes = new Uint8Array(1_000)
    expect(await pool.run(bytes, { ...options, transfer: [bytes.buffer] })).toBe(1_000)
    expect(bytes.length).toBe(0)
  })

  it('gives a worker nothing of the environment', async () => {
    expect(await pool.run('env', options)).toEqual([])
  })

  it.each([
    ['loop', 'timeout'],
    ['memory', 'memory'],
    ['exit', 'crash'],
  ])('fails a task that ends by "%s" with "%s", and runs the next one', async (task, failure) => {
    const thread = await pool.run('thread', options)
    await expect(pool.run(task, options)).rejects.toMatchObject({ name: 'WorkerError', failure })
    expect(await pool.run('thread', options)).not.toBe(thread)
  })

  it('keeps the worker of a task that throws', async () => {
    const thread = await pool.run('thread', options)
    await expect(pool.run('throw', options)).rejects.toMatchObject({
      failure: 'crash',
      cause: new RangeError('too deep'),
    })
    expect(await pool.run('thread', options)).toBe(thread)
  })

  it('stops a task that nobody waits for, and leaves out one in the queue', async () => {
    const caller = new AbortController()
    const running = pool.run('loop', { client: 'a', signal: caller.signal })
    const waiting = pool.run('loop', { client: 'a', signal: caller.signal })
    caller.abort(new Error('gone'))
    await Promise.all([running, waiting].map((task) => expect(task).rejects.toThrow('gone')))
    expect(await pool.run('thread', options)).toBeTypeOf('number')
  })

  it('rejects a task beyond its queue', async () => {
    const accepted = [pool.run('thread', options), pool.run('thread', options)]
    await expect(pool.run('thread', options)).rejects.toMatchObject({ failure: 'busy' })
    await Promise.all(accepted)
  })
  it('has a worker for others while one client has its share', async () => {
    const shared = createWorkerPool({
      ...LIMITS,
      file: join(dir, 'entry.mjs'),
      size: 2,
      reserve: 1,
      maxWaiting: 9,
    })
    const slow = ['loop', 'loop'].map((task) => shared.run(task, options))
    const failures = slow.map((task) => expect(task).rejects.toMatchObject({ failure: 'timeout' }))
    expect(await shared.run('thread', { ...options, client: 'b' })).toBeTypeOf('number')
    await Promise.all(failures)
    await shared.close()
  })
  it('has a time limit for a task that starts when the worker does', async () => {
    const slow = createWorkerPool({ ...LIMITS, file: join(dir, 'slow-entry.mjs'), size: 1, maxWaiting: 1 })
    expect(await slow.run('thread', options)).toBeTypeOf('number')
    await expect(slow.run('loop', options)).rejects.toMatchObject({ failure: 'timeout' })
    await slow.close()
  })

  it('does not take a worker that starts too slowly for a task that takes too long', async () => {
    const limits = { ...LIMITS, startTimeoutMs: SLOW_START_MS / 4 }
    const slow = createWorkerPool({ ...limits, file: join(dir, 'slow-entry.mjs'), size: 1, maxWaiting: 1 })
    await expect(slow.run('thread', options)).rejects.toMatchObject({ failure: 'start' })
    await slow.close()
  })
})
