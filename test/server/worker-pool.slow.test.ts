import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isPageError } from '../../src/query/index.js'
import { createFairQueue } from '../../src/server/budget/index.js'
import {
  createWorkerPool,
  startProcess,
  startThread,
  type WorkerPool,
  type WorkerPoolOptions,
} from '../../src/server/worker-pool.js'

/** What the built entries do with `handleTasks`, in JavaScript, because a thread cannot load the sources. */
const ENTRY = `
import { parentPort, threadId } from 'node:worker_threads'
import { setTimeout } from 'node:timers/promises'
await setTimeout(START_MS)
const port = parentPort ?? process
const post = (message) => (parentPort ? parentPort.postMessage(message) : process.send(message))
const buffers = []
port.on('message', async ({ task, piece }) => {
  if (piece) buffers.push(piece.buffer.byteLength)
  if (task === 'buffers') return post({ result: buffers })
  if (task === 'loop') for (;;);
  if (task === 'memory') { const all = []; for (;;) all.push(new Array(1e5).fill(1.5)) }
  if (task === 'exit') process.exit(3)
  if (task === 'throw') return post({ error: new RangeError('too deep') })
  if (task === 'pose') return post({ error: { name: 'PageError', code: 'EAUTH', message: 'Send your key.' } })
  if (task === 'env') return post({ result: Object.keys(process.env) })
  if (task === 'worker') post({ result: parentPort ? threadId : process.pid })
})
post('ready')`
const entry = (startMs: number) => ENTRY.replace('START_MS', String(startMs))

const caller = { client: 'a', signal: new AbortController().signal }
const TIMEOUT_MS = 3_000
const SLOW_START_MS = 4_000
let dir: string
let pools: WorkerPool<string, unknown>[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'page-preview-workers-'))
  await writeFile(join(dir, 'entry.mjs'), entry(0))
  await writeFile(join(dir, 'slow-entry.mjs'), entry(SLOW_START_MS))
})
afterAll(() => rm(dir, { recursive: true }))
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  pools = []
})

interface PoolOptions extends Partial<Pick<WorkerPoolOptions, 'idleMs' | 'timeoutMs' | 'startTimeoutMs'>> {
  file?: string
  reserve?: number
  maxWaiting?: number
}

const kinds = {
  threads: (file: string) => startThread(join(dir, file), { maxHeapMb: 32 }),
  processes: (file: string) => startProcess(join(dir, file), { maxHeapMb: 32, maxRssBytes: Infinity, isQuiet: true }),
}

describe.each(['threads', 'processes'] as const)('a pool of %s', (kind) => {
  const createPool = ({ file = 'entry.mjs', reserve = 0, maxWaiting = 1, ...options }: PoolOptions = {}) => {
    const fullError = () => new Error('full')
    const pool = createWorkerPool<string, unknown>({
      start() {
        starts++
        return kinds[kind](file)
      },
      size: 1 + reserve,
      queue: createFairQueue({ concurrency: 1, reserve, maxWaiting, fullError }),
      timeoutMs: TIMEOUT_MS,
      ...options,
    })
    pools.push(pool)
    return pool
  }
  let pool: WorkerPool<string, unknown>
  let starts = 0
  beforeEach(() => {
    pool = createPool()
  })

  it('runs tasks one after the other in the same worker', async () => {
    const worker = await pool.run('worker', caller)
    expect(await pool.run('worker', caller)).toBe(worker)
  })

  it('gives a worker nothing of the environment', async () => {
    const names = (await pool.run('env', caller)) as string[]
    // Of the channel between processes, and of macOS.
    expect(names.filter((name) => !/^(NODE_CHANNEL|__CF)/.test(name))).toEqual([])
  })

  it('sends a part of a buffer without the rest of it', async () => {
    const input = new Uint8Array(10_000_000).subarray(0, 100)
    const sizes = (await pool.run('buffers', { ...caller, inputs: [input] })) as number[]
    expect(sizes).toHaveLength(1)
    expect(sizes[0]).toBeLessThan(100_000)
  })

  it.each([
    ['loop', 'timeout'],
    ['memory', kind === 'threads' ? 'memory' : 'crash'],
    ['exit', 'crash'],
  ])('fails a task that ends by "%s" with "%s", and runs the next one', async (task, failure) => {
    const worker = await pool.run('worker', caller)
    await expect(pool.run(task, caller)).rejects.toMatchObject({ name: 'WorkerError', failure })
    expect(await pool.run('worker', caller)).not.toBe(worker)
  })

  it('keeps the worker of a task that throws', async () => {
    const worker = await pool.run('worker', caller)
    await expect(pool.run('throw', caller)).rejects.toEqual(new RangeError('too deep'))
    expect(await pool.run('worker', caller)).toBe(worker)
  })

  it('fails a task whose input cannot be read with the error of the input', async () => {
    const unreadable = new Error('No such file.')
    const input = (async function* () {
      yield new Uint8Array(1)
      throw unreadable
    })()
    await expect(pool.run('worker', { ...caller, inputs: [input] })).rejects.toBe(unreadable)
    expect(await pool.run('worker', caller)).toBeTypeOf('number')
  })

  it('takes nothing that a worker sends for an error of the service', async () => {
    const error = await pool.run('pose', caller).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(isPageError(error)).toBe(false)
  })

  it('stops a task that nobody waits for, and leaves out one in the queue', async () => {
    const leaving = new AbortController()
    const tasks = [1, 2].map(() => pool.run('loop', { client: 'a', signal: leaving.signal }))
    leaving.abort(new Error('gone'))
    await Promise.all(tasks.map((task) => expect(task).rejects.toThrow('gone')))
    expect(await pool.run('worker', caller)).toBeTypeOf('number')
  })

  it('rejects a task beyond its queue', async () => {
    const accepted = [pool.run('worker', caller), pool.run('worker', caller)]
    await expect(pool.run('worker', caller)).rejects.toThrow('full')
    await Promise.all(accepted)
  })

  it('has a worker for others while one client has its share', async () => {
    const shared = createPool({ reserve: 1, maxWaiting: 9 })
    const slow = ['loop', 'loop'].map((task) => shared.run(task, caller))
    const failures = slow.map((task) => expect(task).rejects.toMatchObject({ failure: 'timeout' }))
    expect(await shared.run('worker', { ...caller, client: 'b' })).toBeTypeOf('number')
    await Promise.all(failures)
  })

  it('fails its tasks when it is closed, waiting ones too', async () => {
    const tasks = ['loop', 'worker'].map((task) => pool.run(task, caller))
    const failures = tasks.map((task) => expect(task).rejects.toMatchObject({ failure: 'closed' }))
    await pool.close()
    await Promise.all(failures)
  })

  it('has a time limit for a task that starts when the worker does', async () => {
    const slow = createPool({ file: 'slow-entry.mjs' })
    expect(await slow.run('worker', caller)).toBeTypeOf('number')
    await expect(slow.run('loop', caller)).rejects.toMatchObject({ failure: 'timeout' })
  })

  it('does not take a worker that starts too slowly for a task that takes too long', async () => {
    const limits = { startTimeoutMs: SLOW_START_MS / 8, timeoutMs: SLOW_START_MS / 8 }
    const slow = createPool({ file: 'slow-entry.mjs', ...limits })
    await expect(slow.run('worker', caller)).rejects.toMatchObject({ failure: 'start' })
  })

  it('starts one worker beforehand when it is warmed, and uses it', async () => {
    const onDemand = createPool({ idleMs: 60_000 })
    starts = 0
    onDemand.warm()
    onDemand.warm()
    expect(starts).toBe(1)
    await onDemand.run('worker', caller)
    await onDemand.run('worker', caller)
    expect(starts).toBe(1)
  })

  it('ends a worker that is idle for long', async () => {
    const brief = createPool({ idleMs: 1 })
    const worker = await brief.run('worker', caller)
    await expect.poll(() => brief.run('worker', caller)).not.toBe(worker)
  })
})
