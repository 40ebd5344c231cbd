import { fork } from 'node:child_process'
import { once, setMaxListeners, type EventEmitter } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import type { FairQueue, TaskOptions } from './budget/index.js'
import { hasErrorCode } from './node-errors.js'

/** For what a thread has allocated and not collected yet. By default, Node lets each thread have 192 MB. */
const MAX_YOUNG_HEAP_MB = 48

/** Runs tasks outside the main thread; a worker has one task at a time. */
export interface WorkerPool<Task, Result> {
  /**
   * Runs a task in its turn. A task that does not end in time, or whose caller is aborted, ends its worker.
   *
   * @throws  {WorkerError} when the worker does not finish the task; otherwise the error of the task, of an input or of the queue.
   *          An aborted `signal` throws its own reason, once the worker has ended.
   */
  run(task: Task, options: RunOptions): Promise<Result>
  /** Starts a worker for the next task, unless one is idle. */
  warm(): void
  /** Ends all workers; their tasks fail. */
  close(): Promise<void>
}

/** Whom a task is for, and what it needs. */
export interface RunOptions extends Pick<TaskOptions, 'client' | 'waiters'> {
  signal: AbortSignal
  /** Are sent to the worker before the task. */
  inputs?: readonly TaskInput[]
}

/** Bytes, or a stream of them that is read as fast as the worker accepts it. */
export type TaskInput = Uint8Array | AsyncIterable<Uint8Array>

export interface WorkerPoolOptions {
  start: () => Worker
  /** Workers at the same time. */
  size: number
  /** The turns of clients; runs at most `size` tasks. */
  queue: FairQueue
  /** Time limit of one task, once it has left the queue and its worker is ready. */
  timeoutMs: number
  /** Time in addition, for a task that waits for the start of its worker. Default: 15 seconds. */
  startTimeoutMs?: number
  /**
   * Workers start when they are needed, and end when they have been idle for so long. Default: all are started beforehand, and
   * replaced when they fail, because a start takes longer than most tasks.
   */
  idleMs?: number
}

/**
 * Why a task has no result: its worker did not start in time, it took too long or needed too much memory, its worker ended, or the
 * pool was closed.
 */
type WorkerFailure = keyof typeof SENTENCES

const SENTENCES = {
  start: 'The worker was ended, because it did not start in time.',
  timeout: 'The worker was ended, because its task took too long.',
  memory: 'The worker was ended, because its task needed too much memory.',
  crash: 'The worker ended unexpectedly.',
  closed: 'The worker was ended, because the service is shutting down.',
}

/** The error of a task that its worker did not finish; only `failure` is meant for the caller's decisions. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  readonly failure: WorkerFailure

  constructor(failure: WorkerFailure, options?: { cause?: unknown }) {
    super(SENTENCES[failure], options)
    this.failure = failure
  }
}

/** Whether this is the built package. Node cannot load the TypeScript sources in a thread; there, tasks run in the main thread. */
export const isBuilt = import.meta.filename.endsWith('.js')

/** The limit for the start of a worker, which takes seconds to load its modules on a busy machine. */
const START_TIMEOUT_MS = 15_000
const PIECE_BYTES = 1_000_000

export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const { start, size, queue, timeoutMs, startTimeoutMs = START_TIMEOUT_MS, idleMs } = options
  const workers = new Set<Worker>()
  const starting = new Set<Worker>()
  /** Idle workers, each with the timer that ends it. */
  const idle = new Map<Worker, NodeJS.Timeout | undefined>()
  let isClosed = false

  function startWorker(): Worker {
    const worker = start()
    workers.add(worker)
    starting.add(worker)
    worker.events.once('message', () => starting.delete(worker))
    worker.events.once('exit', () => forget(worker))
    return worker
  }

  function forget(worker: Worker): void {
    workers.delete(worker)
    starting.delete(worker)
    clearTimeout(idle.get(worker))
    idle.delete(worker)
  }

  function keep(worker: Worker): void {
    idle.set(worker, idleMs === undefined ? undefined : setTimeout(() => void end(worker), idleMs).unref())
  }

  /** An idle worker, a ready one if possible, or a new one. */
  function take(): Worker {
    const usable = [...idle.keys()].filter((worker) => worker.isRunning())
    const worker = usable.findLast((each) => !starting.has(each)) ?? usable.at(-1)
    if (!worker) return startWorker()
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    return worker
  }

  async function end(worker: Worker): Promise<void> {
    forget(worker)
    await worker.end()
  }

  /** A task that fails by itself leaves the worker idle. */
  async function runNow(
    task: Task,
    { signal, inputs = [] }: RunOptions,
  ): Promise<{ result: Result } | { error: unknown }> {
    if (isClosed) throw new WorkerError('closed')
    const worker = take()
    worker.ref()
    try {
      if (starting.has(worker))
        await nextMessage(worker, { signal, timeoutMs: startTimeoutMs + timeoutMs, lateFailure: 'start' })
      const replied = nextMessage<Reply<Result>>(worker, { signal, timeoutMs, lateFailure: 'timeout' })
      // A worker that needs too much memory replies before it has received everything.
      const reply = await Promise.race([replied, sendTask(worker, task, inputs).then(() => replied)])
      if ('failure' in reply) throw new WorkerError(reply.failure)
      worker.unref()
      keep(worker)
      return reply
    } catch (error) {
      // The worker is busy, has a part of the inputs, or is gone.
      await end(worker)
      if (!isClosed && idleMs === undefined) keep(startWorker())
      signal.throwIfAborted()
      throw isClosed ? new WorkerError('closed') : error
    }
  }

  if (idleMs === undefined) for (let count = 0; count < size; count++) keep(startWorker())

  return {
    async run(task, runOptions) {
      const { client, waiters, signal } = runOptions
      // Node warns of more than ten listeners, and there is one for each task of a caller that runs or waits.
      setMaxListeners(0, signal)
      const reply = await queue.run({ client, waiters }, () => runNow(task, runOptions), signal)
      // A plain object could pose as an error of the service; a worker cannot send an `Error` that does.
      if ('error' in reply) throw reply.error instanceof Error ? reply.error : new Error(String(reply.error))
      return reply.result
    },
    warm() {
      if (idle.size === 0 && queue.running() < size && !isClosed) keep(startWorker())
    },
    async close() {
      isClosed = true
      await Promise.all([...workers].map(end))
    },
  }
}

/** Sends the inputs of a task, then the task. @throws {WorkerError} `crash`; the error of an input that cannot be read. */
async function sendTask(worker: Worker, task: unknown, inputs: readonly TaskInput[]): Promise<void> {
  const send = (message: TaskMessage) =>
    worker.send(message).catch((cause: unknown) => {
      throw new WorkerError('crash', { cause })
    })
  for (const input of inputs) {
    const pieces = input instanceof Uint8Array ? piecesOf(input) : input
    for await (const piece of pieces) await send({ piece })
    await send({ isEndOfInput: true })
  }
  await send({ task })
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}

/**
 * Waits for the next message of a worker. After a rejection the worker is busy or gone.
 *
 * @param lateFailure  The failure when no message arrives in time.
 * @throws             {WorkerError} `lateFailure`, `memory`, `crash`; an aborted `signal` throws its own reason.
 */
async function nextMessage<Message extends WorkerMessage>(
  { events }: Worker,
  { signal, timeoutMs, lateFailure }: { signal: AbortSignal; timeoutMs: number; lateFailure: WorkerFailure },
): Promise<Message> {
  signal.throwIfAborted()
  const listening = new AbortController()
  try {
    return await new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(() => reject(new WorkerError(lateFailure)), timeoutMs)
      const onError = (cause: unknown) =>
        reject(new WorkerError(hasErrorCode(cause, 'ERR_WORKER_OUT_OF_MEMORY') ? 'memory' : 'crash', { cause }))
      const onExit = (code: number | null) => onError(new Error(`exit code ${code}`))
      events.once('message', resolve).once('error', onError).once('exit', onExit)
      signal.addEventListener('abort', () => reject(signal.reason), { signal: listening.signal })
      listening.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        events.off('message', resolve).off('error', onError).off('exit', onExit)
      })
    })
  } finally {
    listening.abort()
  }
}

/** A thread or a process, whose entry calls `handleTasks`; it has one task at a time. */
interface Worker {
  /** Emits `message` for each `WorkerMessage`, `error` and `exit`. */
  events: EventEmitter
  /** Resolves when the message has been passed on; rejects when the worker has ended. */
  send(message: TaskMessage): Promise<void>
  isRunning(): boolean
  /** Keeps the process of the service running, as a task does. */
  ref(): void
  /** The default: an idle worker does not keep the process of the service running. */
  unref(): void
  /** Ends it, even in the middle of a task, and resolves when it has ended. */
  end(): Promise<void>
}

/**
 * What a worker receives. The inputs of a task are sent in pieces before it, because the main thread is blocked while a message to
 * a process is written, and needs as much memory again for all of it.
 */
export type TaskMessage = { piece: Uint8Array } | { isEndOfInput: true } | { task: unknown }

/** What a worker sends: `ready` once it has loaded its modules, and a reply to each task. */
export type WorkerMessage<Result = unknown> = 'ready' | Reply<Result>

/** `failure`: the task needs more memory than the worker may use. */
type Reply<Result> = { result: Result } | { error: unknown } | { failure: 'memory' }

/**
 * Starts a thread.
 *
 * @param file       Path of its entry, a JavaScript file.
 * @param maxHeapMb  Its largest JavaScript heap; buffers and native memory do not count.
 */
export function startThread(file: string, { maxHeapMb }: { maxHeapMb: number }): Worker {
  const thread = new Thread(file, {
    // The environment of the service contains secrets, and the options of its `node` may not be allowed in a thread.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
  })
  let isRunning = true
  thread.once('exit', () => {
    isRunning = false
  })
  // An error without a listener would end the process of the service.
  thread.on('error', () => undefined)
  thread.unref()
  return {
    events: thread,
    // The clone of a part of a buffer would contain the whole buffer.
    send: async (message) =>
      thread.postMessage('piece' in message ? { piece: new Uint8Array(message.piece) } : message, []),
    isRunning: () => isRunning,
    ref: () => thread.ref(),
    unref: () => thread.unref(),
    end: async () => void (await thread.terminate()),
  }
}

interface ProcessOptions {
  /** Its largest JavaScript heap. */
  maxHeapMb: number
  /** It ends when it uses more memory, native memory included. */
  maxRssBytes: number
  /** Default: the user of the service. */
  user?: { uid: number; gid: number } | undefined
  /** Whether what it prints to stderr is dropped. Default: false. */
  isQuiet?: boolean
}

/**
 * Starts a process, which has neither the environment of the service nor its open files.
 *
 * @param file  Path of its entry.
 */
export function startProcess(file: string, options: ProcessOptions): Worker {
  const { maxHeapMb, maxRssBytes, user, isQuiet = false } = options
  const child = fork(file, [String(maxRssBytes)], {
    env: workerEnvironment(process.env),
    execArgv: [...process.execArgv, `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc'],
    // The user may not be allowed to enter the folder of the service.
    ...(user && { uid: user.uid, gid: user.gid, cwd: '/' }),
  })
  // A process that cannot be started emits `error` and no `exit`.
  const ended = once(child, 'exit').catch(() => undefined)
  child.on('error', () => undefined)
  const ref = () => {
    child.ref()
    child.channel?.ref()
  }
  const unref = () => {
    child.unref()
    child.channel?.unref()
  }
  unref()
  return {
    events: child,
    send: (message) =>
      new Promise((resolve, reject) => {
        child.send(message, (error) => (error ? reject(error) : resolve()))
      }),
    isRunning: () => child.connected && child.exitCode === null && child.signalCode === null,
    ref,
    unref,
    async end() {
      ref()
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Needed by Windows to start any process. */
const ENVIRONMENT_NAMES = ['SystemRoot']

function workerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(ENVIRONMENT_NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
