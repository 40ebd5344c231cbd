import { fork } from 'node:child_process'
import { once, type EventEmitter } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { withoutInheritedFiles } from '../child-processes.js'

/** Whether this is the built package. Node cannot load the TypeScript sources in a thread; there, tasks run in the main thread. */
export const isBuilt = import.meta.filename.endsWith('.js')

/** A thread or a process, whose entry calls `handleTasks`; it has one task at a time. */
export interface Worker {
  /** Emits `message` for each `WorkerMessage`, `error` and `exit`. */
  events: EventEmitter
  /** Resolves when the message has been passed on; rejects when the worker has ended. */
  send(message: TaskMessage): Promise<void>
  isRunning(): boolean
  /** Keeps the process of the service running, as a task does. */
  ref(): void
  /** The default: an idle worker does not keep the process of the service running. */
  unref(): void
  /** Ends it whatever it does, and resolves when it has ended. */
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
export type Reply<Result> = { result: Result } | { error: unknown } | { failure: 'memory' }

/** Needed by Windows to start any process. */
const ENVIRONMENT_NAMES = ['SystemRoot']

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
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
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
    send: async (message) => thread.postMessage(message, []),
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
    env: childEnvironment(process.env),
    execArgv: [...process.execArgv, `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: withoutInheritedFiles(['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc']),
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

function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(ENVIRONMENT_NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
